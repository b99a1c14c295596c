import type { Ranked, Ranking } from "../rank/rankHits.ts";
import { locate, type Snapshot } from "../store/snapshot.ts";

export type Folded = Ranked & { readonly twins: readonly number[] };

/** Shorter chunks are alike by chance. */
const LEAST_WORDS = 12;
/** A licence that every file has is not named with all of them. */
const MOST_TWINS = 50;

/** Cuts the page asked for out of the ranked list, copies of the same text folded into the first of them. */
export function foldTwins(
	ranking: Ranking,
	snapshot: Snapshot,
	offset: number,
	top: number,
): { hits: Folded[]; hasMore: boolean } {
	const end = offset + top;
	const folded = firstFolded(ranking, snapshot, end + 1);
	const twins = twinsOf(folded.slice(offset, end), ranking, snapshot);
	return {
		hits: folded.slice(offset, end).map((hit) => ({ ...hit, twins: twins.get(hit.doc) ?? [] })),
		hasMore: folded.length > end,
	};
}

/** The first so many that are no copy of one before, or all. */
function firstFolded(ranking: Ranking, snapshot: Snapshot, wanted: number): Ranked[] {
	for (let most = 2 * wanted; ; most *= 4) {
		const ranked = ranking.first(most);
		const seen = new Set<number>();
		const folded: Ranked[] = [];
		for (const hit of ranked) {
			if (folded.length === wanted) break;
			const twin = twinOf(snapshot, hit.doc);
			if (twin !== undefined && seen.has(twin)) continue;
			if (twin !== undefined) seen.add(twin);
			folded.push(hit);
		}
		if (folded.length === wanted || ranked.length < most) return folded;
	}
}

/** Of each hit the other chunks of the list with its text, by path and line. */
function twinsOf(hits: readonly Ranked[], ranking: Ranking, snapshot: Snapshot): ReadonlyMap<number, number[]> {
	const first = new Map<number, number>();
	/** Nearly all chunks are told apart by a few bits. */
	const maybe = new Uint8Array(1 << 12);
	for (const { doc } of hits) {
		const twin = twinOf(snapshot, doc);
		if (twin === undefined) continue;
		first.set(twin, doc);
		maybe[twin & 0xfff] = 1;
	}
	const found = new Map<number, number[]>();
	if (first.size === 0) return found;
	for (const { base, docs, columns } of snapshot.segments) {
		for (let local = 0; local < docs; local++) {
			const twin = columns.twin[local] ?? 0;
			if (maybe[twin & 0xfff] === 0) continue;
			const hit = first.get(twin);
			const doc = base + local;
			if (hit === undefined || hit === doc || twinOf(snapshot, doc) === undefined || !ranking.has(doc)) continue;
			const known = found.get(hit);
			if (known) known.push(doc);
			else found.set(hit, [doc]);
		}
	}
	const pathOf = (doc: number): string => snapshot.files[snapshot.fileOf[doc] ?? 0]?.path ?? "";
	for (const [hit, docs] of found) {
		docs.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : a - b));
		found.set(hit, docs.slice(0, MOST_TWINS));
	}
	return found;
}

/** What copies of a chunk share; `undefined` for one that is too short. */
function twinOf(snapshot: Snapshot, doc: number): number | undefined {
	const { segment, local } = locate(snapshot, doc);
	return (segment.columns.length[local] ?? 0) >= LEAST_WORDS ? (segment.columns.twin[local] ?? 0) : undefined;
}
