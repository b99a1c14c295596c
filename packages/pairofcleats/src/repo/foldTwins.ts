import type { Ranked } from "../rank/candidate.ts";
import type { Ranking } from "../rank/rankHits.ts";
import { locate, type Snapshot } from "../store/snapshot.ts";
import { copiesOf, twinOf } from "./copies.ts";

export type Folded = Ranked & { readonly twins: readonly number[] };

/** A licence that every file has should not list all of them. */
const MOST_TWINS = 50;

/**
 * Returns the requested page of results. Copies of the same text, and pieces of one long line, fold into the first of
 * them.
 */
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

/** The first `wanted` results that are not copies of an earlier one. */
function firstFolded(ranking: Ranking, snapshot: Snapshot, wanted: number): Ranked[] {
	for (let most = 2 * wanted; ; most *= 4) {
		const ranked = ranking.first(most);
		const seen = new Set<number>();
		const lines = new Set<string>();
		const folded: Ranked[] = [];
		for (const hit of ranked) {
			if (folded.length === wanted) break;
			const twin = twinOf(snapshot, hit.doc);
			if (twin !== undefined && seen.has(twin)) continue;
			const line = longLineOf(snapshot, hit.doc);
			if (line !== undefined && lines.has(line)) continue;
			if (twin !== undefined) seen.add(twin);
			if (line !== undefined) lines.add(line);
			folded.push(hit);
		}
		if (folded.length === wanted || ranked.length < most) return folded;
	}
}

/** A key for the pieces of a line that is too long for one chunk: all have the same place. */
function longLineOf(snapshot: Snapshot, doc: number): string | undefined {
	const { segment, local } = locate(snapshot, doc);
	const { startLine, endLine, end, kind } = segment.columns;
	const line = startLine[local] ?? 0;
	// A comment beside code is a result of its own. It is stored without its place.
	const isPiece = endLine[local] === line && end[local] !== 0 && segment.names().at(local) === "";
	return isPiece ? `${snapshot.fileOf[doc]}:${line}:${kind[local]}` : undefined;
}

/** The other results with the same text, by path and line. */
function twinsOf(doc: number, ranking: Ranking, snapshot: Snapshot): number[] {
	const twin = twinOf(snapshot, doc);
	if (twin === undefined) return [];
	const pathOf = (copy: number): string => snapshot.files[snapshot.fileOf[copy] ?? 0]?.path ?? "";
	return copiesOf(twin, snapshot)
		.filter((copy) => copy !== doc && ranking.has(copy))
		.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : a - b))
		.slice(0, MOST_TWINS);
}
