import { useEffect, useState } from "preact/hooks";
import type { TimelineEntry } from "../../../record/timeline.ts";
import { type ApiFailure, api, readFailure } from "../api.ts";
import { epoch, onEntry } from "../live.ts";
import { link } from "../route.ts";

const PAGE = 500;
/** As many as the server keeps, so that a page left open does not grow without limit. */
const MAX_ENTRIES = 10_000;

const GATHER_MS = 100;

export type Filter = { readonly kinds: string; readonly server: string; readonly text: string };

type Entries = {
	readonly entries: readonly TimelineEntry[];
	readonly total?: number;
	readonly next?: number;
	readonly failure?: ApiFailure;
};

/** Loads older entries page by page with `more`, and adds new ones as they happen. */
export function useEntries(filter: Filter): {
	entries: readonly TimelineEntry[];
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
		/** Entries that arrived while the first page was loading, which may lack them. */
		let early: TimelineEntry[] | undefined = [];
		api<"listTimeline">(`/api/timeline${path}`, { signal: stop.signal }).then(
			(page) => {
				setState((early ?? []).reduce(withEntry, page));
				early = undefined;
			},
			(error: unknown) => {
				early = undefined;
				if (!stop.signal.aborted) setState((before) => ({ ...before, failure: readFailure(error) }));
			},
		);
		// Bursts are added together, because each change copies the whole list.
		const fresh: TimelineEntry[] = [];
		let timer: ReturnType<typeof setTimeout> | undefined;
		const forget = onEntry((entry) => {
			if (!fits(entry, filter)) return;
			early?.push(entry);
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
		api<"listTimeline">(`/api/timeline${path}&before=${next}`)
			.then(
				(page) =>
					setState((before) =>
						// Unequal if another filter was chosen meanwhile.
						before.next === next
							? { ...page, entries: [...before.entries, ...page.entries].slice(0, MAX_ENTRIES) }
							: before,
					),
				(error: unknown) => setState((before) => ({ ...before, failure: readFailure(error) })),
			)
			.finally(() => setLoading(false));
	};
	return { entries: state.entries, total: state.total, failure: state.failure, more };
}

function withEntry(state: Entries, entry: TimelineEntry): Entries {
	const known = state.entries.findIndex(({ id }) => id === entry.id);
	if (known !== -1) return { ...state, entries: state.entries.with(known, entry) };
	// An update to an older entry, whose page is not loaded yet.
	if (entry.id < (state.entries[0]?.id ?? 0)) return state;
	return { ...state, entries: [entry, ...state.entries].slice(0, MAX_ENTRIES), total: (state.total ?? 0) + 1 };
}

function fits(entry: TimelineEntry, { kinds, server, text }: Filter): boolean {
	return (
		(kinds === "" || kinds.split(",").includes(entry.kind)) &&
		(server === "" || entry.server === server) &&
		(text === "" || `${entry.server} ${entry.summary}`.toLowerCase().includes(text.toLowerCase()))
	);
}
