import type { Ranked, Ranking } from "../rank/rankHits.ts";
import { locate, type Snapshot } from "../store/snapshot.ts";

export type Folded = Ranked & { readonly twins: readonly number[] };

/** Shorter chunks are alike by chance. */
const LEAST_WORDS = 12;

/** Cuts the page asked for out of the ranked list, copies of the same text folded into the first of them. */
export function foldTwins(
	ranking: Ranking,
	snapshot: Snapshot,
	offset: number,
	top: number,
): { hits: Folded[]; hasMore: boolean } {
	const firsts = new Map<number, number[]>();
	const hits: Folded[] = [];
	let hasMore = false;
	for (const hit of ranking.hits) {
		const { segment, local } = locate(snapshot, hit.doc);
		const long = (segment.columns.length[local] ?? 0) >= LEAST_WORDS;
		const twin = segment.columns.twin[local] ?? 0;
		const known = long ? firsts.get(twin) : undefined;
		if (known) {
			known.push(hit.doc);
			continue;
		}
		if (hits.length === offset + top) {
			hasMore = true;
			break;
		}
		const twins: number[] = [];
		if (long) firsts.set(twin, twins);
		hits.push({ ...hit, twins });
	}
	return { hits: hits.slice(offset), hasMore };
}
