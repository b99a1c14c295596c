import { useEffect, useState } from "preact/hooks";
import { type ApiFailure, api, failureOf } from "../api.ts";
import { entriesChanged, epoch, onEntry } from "../live.ts";
import { type Entry, KINDS, type Server } from "../model.ts";
import { EntryRow } from "../parts/entryRow.tsx";
import { Json } from "../parts/json.tsx";
import { RecordPanel } from "../parts/record.tsx";
import { Empty, Failure, Loaded, Loading } from "../parts/states.tsx";
import { VirtualList } from "../parts/virtualList.tsx";
import { useResource } from "../resource.ts";
import { link, place, replace } from "../route.ts";

const ROW_PX = 38;
/** Same breakpoint as in style.css, where the text moves to two lines of its own. */
const NARROW = matchMedia("(max-width: 640px)");
const NARROW_ROW_PX = 70;
const PAGE = 500;
/** As many as the server keeps: a page that stays open does not grow beyond it. */
const MAX_ENTRIES = 10_000;

const GATHER_MS = 100;

type Filter = { readonly kinds: string; readonly server: string; readonly text: string };

export function TimelineView() {
	const { query, record } = place.value;
	const filter = { kinds: query.get("kinds") ?? "", server: query.get("server") ?? "", text: query.get("text") ?? "" };
	const { entries, total, failure, more } = useEntries(filter);
	const narrow = useNarrow();
	return (
		<>
			<div class="title">
				<h1>Timeline</h1>
				<p class="muted" role="status">
					{total === undefined ? "" : `${total.toLocaleString()} ${total === 1 ? "entry" : "entries"}`}
				</p>
			</div>
			<Filters filter={filter} />
			<div class={`split ${record === undefined ? "" : "with-record"}`}>
				<div class="card flush">
					{failure !== undefined && <Failure failure={failure} />}
					{entries.length === 0 && total === undefined && failure === undefined && <Loading />}
					{total === 0 && <Nothing filter={filter} />}
					{entries.length > 0 && (
						<VirtualList
							key={JSON.stringify(filter)}
							items={entries}
							rowHeight={narrow ? NARROW_ROW_PX : ROW_PX}
							label="Timeline"
							keyOf={({ id }) => id}
							onSight={(_, last) => last >= entries.length && more()}
						>
							{(entry) => (
								<EntryRow
									entry={entry}
									href={link("timeline", entry.id, filter)}
									current={record === String(entry.id)}
								/>
							)}
						</VirtualList>
					)}
				</div>
				{record !== undefined && <Record id={record} filter={filter} />}
			</div>
		</>
	);
}

function Nothing({ filter: { kinds, server, text } }: { filter: Filter }) {
	if (kinds + server + text !== "") return <Empty title="No such entry">Nothing that happened fits the filters.</Empty>;
	return (
		<Empty title="Nothing has happened">Faults, restarts, replays, rollouts and quarantines will show here.</Empty>
	);
}

function useNarrow(): boolean {
	const [narrow, setNarrow] = useState(NARROW.matches);
	useEffect(() => {
		const look = (): void => setNarrow(NARROW.matches);
		NARROW.addEventListener("change", look);
		return () => NARROW.removeEventListener("change", look);
	}, []);
	return narrow;
}

function Filters({ filter }: { filter: Filter }) {
	const chosen = filter.kinds === "" ? [] : filter.kinds.split(",");
	const servers = useResource<{ servers: readonly Server[] }>("/api/servers");
	const known = servers.data?.servers.map(({ name }) => name) ?? [];
	const names = filter.server === "" || known.includes(filter.server) ? known : [filter.server, ...known];
	const toggle = (kind: string): string => {
		const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
		return link("timeline", undefined, { ...filter, kinds: next.join(",") });
	};
	return (
		<fieldset class="filters" aria-label="Filters">
			{KINDS.map((kind) => (
				<button
					key={kind}
					type="button"
					class="chip"
					aria-pressed={chosen.includes(kind)}
					onClick={() => replace(toggle(kind))}
				>
					{kind}
				</button>
			))}
			<div class="fill">
				<input
					type="search"
					aria-label="Filter by text"
					placeholder="Filter by text"
					value={filter.text}
					onInput={(event) => replace(link("timeline", undefined, { ...filter, text: event.currentTarget.value }))}
				/>
				<select
					aria-label="Server"
					value={filter.server}
					onChange={(event) => replace(link("timeline", undefined, { ...filter, server: event.currentTarget.value }))}
				>
					<option value="">every server</option>
					{names.map((name) => (
						<option key={name}>{name}</option>
					))}
				</select>
			</div>
		</fieldset>
	);
}

function Record({ id, filter }: { id: string; filter: Filter }) {
	const found = useResource<{ entry: Entry }>(`/api/timeline/${encodeURIComponent(id)}`, [entriesChanged.value]);
	return (
		<RecordPanel label={`Entry ${id}`} row={link("timeline", id, filter)}>
			<p>
				<a href={link("timeline", undefined, filter)}>← All entries</a>
			</p>
			<Loaded from={found}>
				{({ entry }) => (
					<div class="stack">
						<p>
							<span class={`badge ${entry.level}`}>{entry.kind}</span> <strong>{entry.server}</strong>{" "}
							<span class="muted">{new Date(entry.at).toLocaleString()}</span>
						</p>
						<h2 class="wrap">{entry.summary}</h2>
						{typeof entry.record.call === "number" && (
							<p>
								<a href={link("calls", entry.record.call)}>Open the call</a>
							</p>
						)}
						<Json label="Record" value={entry.record} />
					</div>
				)}
			</Loaded>
		</RecordPanel>
	);
}

type Page = { readonly entries: readonly Entry[]; readonly total: number; readonly next?: number };

type Entries = {
	readonly entries: readonly Entry[];
	readonly total?: number;
	readonly next?: number;
	readonly failure?: ApiFailure;
};

/** Page by page as they are looked for, and live at the head. */
function useEntries(filter: Filter): {
	entries: readonly Entry[];
	total: number | undefined;
	failure: ApiFailure | undefined;
	more: () => void;
} {
	const [state, setState] = useState<Entries>({ entries: [] });
	const [loading, setLoading] = useState(false);
	const path = link("", undefined, { ...filter, limit: String(PAGE) }).slice(2);
	useEffect(() => {
		if (epoch.value === 0) return;
		const stop = new AbortController();
		api<Page>(`/api/timeline${path}`, { signal: stop.signal }).then(setState, (error: unknown) => {
			if (!stop.signal.aborted) setState((before) => ({ ...before, failure: failureOf(error) }));
		});
		// Many at once are shown at once: each change of the list costs its length.
		const fresh: Entry[] = [];
		let timer: ReturnType<typeof setTimeout> | undefined;
		const forget = onEntry((entry) => {
			if (!fits(entry, filter)) return;
			fresh.push(entry);
			timer ??= setTimeout(() => {
				timer = undefined;
				const taken = fresh.splice(0);
				setState((before) => taken.reduce(withEntry, before));
			}, GATHER_MS);
		});
		return () => {
			stop.abort();
			forget();
			clearTimeout(timer);
		};
	}, [path, epoch.value]);
	const more = (): void => {
		if (loading || state.next === undefined || state.entries.length >= MAX_ENTRIES) return;
		setLoading(true);
		const { next } = state;
		api<Page>(`/api/timeline${path}&before=${next}`)
			.then(
				(page) =>
					setState((before) =>
						// Another filter was chosen meanwhile.
						before.next === next
							? { ...page, entries: [...before.entries, ...page.entries].slice(0, MAX_ENTRIES) }
							: before,
					),
				(error: unknown) => setState((before) => ({ ...before, failure: failureOf(error) })),
			)
			.finally(() => setLoading(false));
	};
	return { entries: state.entries, total: state.total, failure: state.failure, more };
}

function withEntry(state: Entries, entry: Entry): Entries {
	const known = state.entries.findIndex(({ id }) => id === entry.id);
	if (known !== -1) return { ...state, entries: state.entries.with(known, entry) };
	// More has become known of one that is further down than was looked for.
	if (entry.id < (state.entries[0]?.id ?? 0)) return state;
	return { ...state, entries: [entry, ...state.entries].slice(0, MAX_ENTRIES), total: (state.total ?? 0) + 1 };
}

function fits(entry: Entry, { kinds, server, text }: Filter): boolean {
	return (
		(kinds === "" || kinds.split(",").includes(entry.kind)) &&
		(server === "" || entry.server === server) &&
		(text === "" || `${entry.server} ${entry.summary}`.toLowerCase().includes(text.toLowerCase()))
	);
}
