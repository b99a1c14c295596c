import { CHUNK_KINDS } from "../parse/chunk.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Candidate, Ranked } from "./candidate.ts";
import type { Definitions } from "./definitions.ts";
import { leastOfBest } from "./leastOfBest.ts";
import type { Pointed } from "./mentionedFiles.ts";
import type { Scores } from "./scores.ts";
import type { Weights } from "./weights.ts";

const BLOCK = CHUNK_KINDS.indexOf("block");

/** What the chunks of a file are ordered by. */
type ChunkEvidence = {
	readonly snapshot: Snapshot;
	readonly scores: Scores;
	readonly definitions: Definitions;
	/** Chunks that the query leads to by a line, or copies. */
	readonly pointed: ReadonlyMap<number, Pointed>;
	readonly allowed: Uint8Array;
	readonly weights: Weights;
};

/**
 * The first so many of the chunks of all files in one list, or all: a file's best chunk has all of its score, the others
 * less and less.
 */
export function spreadHits(candidates: readonly Candidate[], evidence: ChunkEvidence, most: number): Ranked[] {
	const { snapshot, definitions, weights } = evidence;
	const byPath = (a: number, b: number): number => {
		const left = snapshot.files[a]?.path ?? "";
		const right = snapshot.files[b]?.path ?? "";
		return left < right ? -1 : left > right ? 1 : 0;
	};
	// No hit among the first so many is of a file further down than that, nor further down in its file.
	const files = bestOf(candidates, ({ total }) => total, most)
		.sort((a, b) => b.total - a.total || byPath(a.file, b.file))
		.slice(0, most);
	const least = files.length < most ? 0 : (files.at(-1)?.total ?? 0);
	const defining = new Set<number>();
	for (const doc of definitions.docs.keys()) defining.add(snapshot.fileOf[doc] ?? 0);
	const hits: Ranked[] = [];
	for (const candidate of files) {
		// Below the best chunk of the last file, no chunk has a place.
		const places = least > 0 ? 2 + Math.floor(Math.log(least / candidate.total) / Math.log(weights.sameFile)) : most;
		const sureness = defining.has(candidate.file) ? definitions.docs : undefined;
		const docs = strongest(candidate.file, sureness, evidence, Math.min(places, most));
		const best = docs[0]?.strength ?? 0;
		let decay = candidate.total;
		for (const [place, { doc, strength }] of docs.entries()) {
			hits.push({ candidate, doc, score: place === 0 ? decay : decay * (best === 0 ? 0 : strength / best) });
			decay *= weights.sameFile;
		}
	}
	return bestOf(hits, ({ score }) => score, most)
		.sort((a, b) => b.score - a.score || byPath(a.candidate.file, b.candidate.file) || a.doc - b.doc)
		.slice(0, most);
}

/** The items with the `most` greatest values, and those that are equal to the least of these; in no order. */
function bestOf<Item>(items: readonly Item[], worthOf: (item: Item) => number, most: number): Item[] {
	const values = new Float64Array(items.length);
	for (const [index, item] of items.entries()) values[index] = worthOf(item);
	const enough = leastOfBest(values, most);
	return items.filter((_, index) => (values[index] ?? 0) >= enough);
}

type Strong = { readonly doc: number; readonly strength: number };

/** The chunks of a file that were found, strongest first, at most so many. */
function strongest(
	number: number,
	/** Of the definitions in the file, where it has any. */
	sureness: Definitions["docs"] | undefined,
	{ snapshot, scores, pointed, allowed, weights }: ChunkEvidence,
	most: number,
): Strong[] {
	const file = snapshot.files[number];
	const docs: Strong[] = [];
	if (!file) return docs;
	const { kind } = file.segment.columns;
	const end = file.first + file.docs;
	const named: number[] = [];
	for (let doc = file.first; doc < end; doc++) {
		if (allowed[doc] !== 1) continue;
		if (pointed.size > 0 && pointed.has(doc)) {
			named.push(doc);
			continue;
		}
		const score = scores.docs[doc] ?? 0;
		if (score === 0 && sureness === undefined) continue;
		const sure = sureness?.get(doc) ?? 0;
		if (score === 0 && sure === 0) continue;
		const loose = kind[doc - file.segment.base] === BLOCK ? weights.looseLines : 1;
		// The definition asked for first, then named chunks before loose lines such as imports.
		const strength = score * (1 + 2 * sure) * loose + sure * 1e-3;
		insert(docs, { doc, strength }, most);
	}
	// What the query leads to by a line, or copies, comes before what it only speaks of.
	const best = docs[0]?.strength ?? 1;
	for (const doc of named) insert(docs, { doc, strength: best * (1 + (pointed.get(doc)?.nearness ?? 0)) }, most);
	return docs;
}

/** Into a list with the strongest first; of equals the earlier one stays before. */
function insert(docs: Strong[], added: Strong, most: number): void {
	if (docs.length === most && added.strength <= (docs[most - 1]?.strength ?? 0)) return;
	let at = docs.length < most ? docs.length : most - 1;
	for (; at > 0; at--) {
		const before = docs[at - 1];
		if (before === undefined || before.strength >= added.strength) break;
		docs[at] = before;
	}
	docs[at] = added;
}
