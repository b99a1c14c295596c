import { CHUNK_KINDS } from "../parse/chunk.ts";
import { FLAG } from "../segment/columns.ts";
import type { Snapshot, SnapshotFile } from "../store/snapshot.ts";
import type { Candidate, Ranked } from "./chooseFiles.ts";
import type { Pointed } from "./mentions/mentionedFiles.ts";
import type { Definitions } from "./names/definitions.ts";
import { findLeastOfBest, type Scores } from "./score/scores.ts";
import type { Weights } from "./weights.ts";

const BLOCK = CHUNK_KINDS.indexOf("block");
const TYPES: ReadonlySet<number> = new Set(
	(["class", "interface", "struct", "trait", "enum"] as const).map((kind) => CHUNK_KINDS.indexOf(kind)),
);

/** The evidence that orders the chunks of a file. */
type ChunkEvidence = {
	readonly snapshot: Snapshot;
	readonly scores: Scores;
	readonly definitions: Definitions;
	/** Chunks that the query points to by a line number, or whose text it contains. */
	readonly pointed: ReadonlyMap<number, Pointed>;
	readonly allowed: Uint8Array;
	/** Whether the query is a name, so that its definition comes first. */
	readonly isSymbol: boolean;
	/** Whether the query asks for all places that use a name, which may be in one file. */
	readonly asksForUses: boolean;
	readonly weights: Weights;
};

/**
 * The best `most` chunks of all files in one list. A file's best chunk has the file's whole score, each further one
 * less.
 */
export function spreadHits(candidates: readonly Candidate[], evidence: ChunkEvidence, most: number): Ranked[] {
	const { snapshot, definitions, weights } = evidence;
	const sameFile = evidence.asksForUses ? 1 : weights.sameFile;
	const byPath = (a: number, b: number): number => {
		const left = snapshot.files[a]?.path ?? "";
		const right = snapshot.files[b]?.path ?? "";
		return left < right ? -1 : left > right ? 1 : 0;
	};
	// The first `most` hits are all from the first `most` files, and among the first `most` chunks of their file.
	const files = bestOf(candidates, ({ total }) => total, most)
		.sort((a, b) => b.total - a.total || byPath(a.file, b.file))
		.slice(0, most);
	const least = files.length < most ? 0 : (files.at(-1)?.total ?? 0);
	const defining = new Set<number>();
	for (const doc of definitions.docs.keys()) defining.add(snapshot.fileOf[doc] ?? 0);
	const hits: Ranked[] = [];
	for (const candidate of files) {
		// A chunk that scores below the last file's best chunk cannot be among the results.
		const places =
			least > 0 && sameFile < 1 ? 2 + Math.floor(Math.log(least / candidate.total) / Math.log(sameFile)) : most;
		const sureness = defining.has(candidate.file) ? definitions.docs : undefined;
		const docs = strongest(candidate.file, sureness, evidence, Math.min(places, most));
		const best = docs[0]?.strength ?? 0;
		let decay = candidate.total;
		for (const [place, { doc, strength }] of docs.entries()) {
			hits.push({ candidate, doc, score: place === 0 ? decay : decay * (best === 0 ? 0 : strength / best) });
			decay *= sameFile;
		}
	}
	return bestOf(hits, ({ score }) => score, most)
		.sort((a, b) => b.score - a.score || byPath(a.candidate.file, b.candidate.file) || a.doc - b.doc)
		.slice(0, most);
}

/** The items with the `most` greatest values, plus ties with the least of them, unordered. */
function bestOf<Item>(items: readonly Item[], worthOf: (item: Item) => number, most: number): Item[] {
	const values = new Float64Array(items.length);
	for (const [index, item] of items.entries()) values[index] = worthOf(item);
	const enough = findLeastOfBest(values, most);
	return items.filter((_, index) => (values[index] ?? 0) >= enough);
}

type Strong = { readonly doc: number; readonly strength: number };

/** The matching chunks of a file, strongest first, at most `most`. */
function strongest(
	number: number,
	/** Present only if the file has definitions of the query's symbols. */
	sureness: Definitions["docs"] | undefined,
	{ snapshot, scores, pointed, allowed, isSymbol, weights }: ChunkEvidence,
	most: number,
): Strong[] {
	const file = snapshot.files[number];
	const docs: Strong[] = [];
	if (!file) return docs;
	const { kind } = file.segment.columns;
	const end = file.first + file.docs;
	const leading: (Strong & { readonly sure: number; readonly rank: number })[] = [];
	for (let doc = file.first; doc < end; doc++) {
		if (allowed[doc] !== 1) continue;
		const score = scores.docs[doc] ?? 0;
		const isPointed = pointed.size > 0 && pointed.has(doc);
		if (score === 0 && sureness === undefined && !isPointed) continue;
		const sure = sureness?.get(doc) ?? 0;
		const loose = kind[doc - file.segment.base] === BLOCK ? weights.looseLines : 1;
		// Definitions of the symbol come first, then named chunks, then loose lines such as imports.
		const strength = score * (1 + 2 * sure) * loose + sure * 1e-3;
		if (isPointed || (isSymbol && sure > 0)) leading.push({ doc, strength, sure, rank: rankOf(file, doc) });
		else if (strength > 0) insert(docs, { doc, strength }, most);
	}
	const best = docs[0]?.strength ?? 1;
	leading.sort((a, b) => a.sure - b.sure || a.rank - b.rank || a.strength - b.strength || b.doc - a.doc);
	let least = 0;
	for (const { doc, strength, sure } of leading) {
		const near = pointed.get(doc)?.nearness;
		// Chunks that the query points to, copies or names come before chunks that only share words with it. Among equals,
		// the chunk with more of the words leads: a heading before its entry in a list.
		if (near === undefined) least = Math.max(least * (1 + 1e-6), strength, best * (1 + 1e-3 * sure));
		const lead = near === undefined ? least : best * (1 + near) + 1e-3 * strength;
		insert(docs, { doc, strength: lead }, most);
	}
	return docs;
}

/** Of definitions of one name that are equally sure, a type comes before what makes one, and what others can use first. */
function rankOf({ segment: { base, columns } }: SnapshotFile, doc: number): number {
	const isType = TYPES.has(columns.kind[doc - base] ?? BLOCK);
	const isExported = ((columns.flags[doc - base] ?? 0) & FLAG.exported) !== 0;
	return (isType ? 2 : 0) + (isExported ? 1 : 0);
}

/** Inserts into a list sorted by strength; among equals the earlier one stays first. */
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
