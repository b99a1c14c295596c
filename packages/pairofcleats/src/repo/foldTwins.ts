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
	return {
		hits: folded.slice(offset, end).map((hit) => ({ ...hit, twins: twinsOf(hit.doc, ranking, snapshot) })),
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

/** The other chunks of the list with the text of one, by path and line. */
function twinsOf(doc: number, ranking: Ranking, snapshot: Snapshot): number[] {
	const twin = twinOf(snapshot, doc);
	const copies = twin === undefined ? undefined : copiesIn(snapshot).get(twin);
	if (!copies) return [];
	const pathOf = (copy: number): string => snapshot.files[snapshot.fileOf[copy] ?? 0]?.path ?? "";
	return copies
		.filter((copy) => copy !== doc && ranking.has(copy))
		.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : a - b))
		.slice(0, MOST_TWINS);
}

type Copies = ReadonlyMap<number, readonly number[]>;

const COPIES = new WeakMap<Snapshot, Copies>();

/** The chunks of each text that more than one has; worked out once, as every page of hits asks for it. */
function copiesIn(snapshot: Snapshot): Copies {
	const known = COPIES.get(snapshot);
	if (known) return known;
	const repeated = repeatedTwins(snapshot);
	const copies = new Map<number, number[]>();
	for (const { base, docs, columns } of snapshot.segments) {
		for (let local = 0; local < docs; local++) {
			const twin = columns.twin[local] ?? 0;
			if (!repeated.has(twin) || (columns.length[local] ?? 0) < LEAST_WORDS) continue;
			const others = copies.get(twin);
			if (others) others.push(base + local);
			else copies.set(twin, [base + local]);
		}
	}
	COPIES.set(snapshot, copies);
	return copies;
}

/** In a table of slots, which for this many takes a fifth of the time of a map. */
function repeatedTwins({ segments, docs }: Snapshot): ReadonlySet<number> {
	const bits = Math.ceil(Math.log2(2 * docs + 2));
	const slots = new Uint32Array(2 ** bits);
	const repeated = new Set<number>();
	for (const { columns, docs: count } of segments) {
		for (let local = 0; local < count; local++) {
			const twin = columns.twin[local] ?? 0;
			let at = Math.imul(twin, 0x9e3779b1) >>> (32 - bits);
			while (slots[at] !== 0 && slots[at] !== twin) at = (at + 1) % slots.length;
			if (slots[at] === twin) repeated.add(twin);
			else slots[at] = twin;
		}
	}
	return repeated;
}

/** What copies of a chunk share; `undefined` for one that is too short. */
function twinOf(snapshot: Snapshot, doc: number): number | undefined {
	const { segment, local } = locate(snapshot, doc);
	return (segment.columns.length[local] ?? 0) >= LEAST_WORDS ? (segment.columns.twin[local] ?? 0) : undefined;
}
