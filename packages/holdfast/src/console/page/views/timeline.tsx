import { useEffect, useState } from "preact/hooks";
import { TIMELINE_KINDS } from "../../../record/timeline.ts";
import { entriesChanged } from "../live.ts";
import { Json } from "../parts/content.tsx";
import { EntryRow, RecordPanel } from "../parts/records.tsx";
import { Empty, Failure, Loaded, Loading } from "../parts/states.tsx";
import { VirtualList } from "../parts/virtualList.tsx";
import { useResource } from "../resource.ts";
import { link, place, replace } from "../route.ts";
import { type Filter, useEntries } from "./timelineEntries.ts";

const ROW_PX = 38;
/** Same breakpoint as in style.css; below it, the text of an entry has two lines of its own. */
const NARROW = matchMedia("(max-width: 640px)");
const NARROW_ROW_PX = 70;

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
							current={Number(record)}
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
	if (kinds + server + text !== "") return <Empty title="No such entry">Nothing matches the filters.</Empty>;
	return (
		<Empty title="Nothing has happened">Faults, restarts, replays, rollouts and quarantines will appear here.</Empty>
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
	const servers = useResource<"listServers">("/api/servers");
	const known = servers.data?.servers.map(({ name }) => name) ?? [];
	const names = filter.server === "" || known.includes(filter.server) ? known : [filter.server, ...known];
	const toggle = (kind: string): string => {
		const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
		return link("timeline", undefined, { ...filter, kinds: next.join(",") });
	};
	return (
		<fieldset class="filters" aria-label="Filters">
			{TIMELINE_KINDS.map((kind) => (
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
	const found = useResource<"getTimelineEntry">(`/api/timeline/${encodeURIComponent(id)}`, [entriesChanged.value]);
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
