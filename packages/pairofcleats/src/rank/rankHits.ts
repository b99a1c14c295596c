import type { Snapshot } from "../index/snapshot.ts";
import { CHUNK_KINDS } from "../parse/chunk.ts";
import type { Definitions } from "./definitions.ts";
import { demotion } from "./demotion.ts";
import { pathMatcher } from "./pathMatch.ts";
import type { QueryTerms } from "./queryTerms.ts";
import type { Scores } from "./scoreTerms.ts";
import type { Weights } from "./weights.ts";

export type Ranked = {
	readonly doc: number;
	readonly score: number;
	/** What the score is the sum of. */
	readonly parts: ScoreParts;
};

export type ScoreParts = {
	readonly words: number;
	readonly path: number;
	readonly definition: number;
	readonly vector: number;
	/** What tests, vendored or generated files, and later hits of one file, lose. */
	readonly demotion: number;
};

export type Ranking = {
	/** Best first; at least as many as were wanted, if there are. */
	readonly hits: readonly Ranked[];
	/** All chunks that match, and the files they are in. */
	readonly matches: number;
	readonly files: number;
};

/** Files that are looked at closely; far beyond any page that is asked for. */
const MOST_FILES = 200;
const BLOCK = CHUNK_KINDS.indexOf("block");

type Candidate = {
	readonly file: number;
	readonly words: number;
	path: number;
	definition: number;
	vector: number;
	kept: number;
};

/** Similarity of files to the query, for those given; absent when vectors are off. */
export type FileSimilarity = (files: readonly number[]) => ReadonlyMap<number, number>;

/** The ranked list: files by their best evidence, each with its best chunk first and the others further down. */
export function rankHits(
	snapshot: Snapshot,
	scores: Scores,
	query: QueryTerms,
	definitions: Definitions,
	allowed: Uint8Array,
	weights: Weights,
	wanted: number,
	similarity?: FileSimilarity,
): Ranking {
	const best = bestDocs(snapshot, scores, definitions, allowed);
	const chosen = chooseFiles(best, scores, weights, Math.max(MOST_FILES, wanted));
	for (const doc of definitions.docs.keys()) {
		const file = snapshot.fileOf[doc] ?? 0;
		if (allowed[doc] === 1 && !chosen.has(file)) chosen.set(file, 0);
	}
	const candidates = [...chosen].map(
		([file, words]): Candidate => ({
			file,
			words,
			path: 0,
			definition: 0,
			vector: 0,
			kept: 1,
		}),
	);
	if (similarity) addVectors(candidates, similarity, query, weights);
	addSignals(candidates, snapshot, query, surenessByFile(snapshot, definitions, allowed), weights);
	return {
		hits: spread(candidates, snapshot, scores, definitions, allowed, weights, wanted),
		matches: best.matches,
		files: best.files,
	};
}

type BestDocs = {
	readonly byFile: Float32Array;
	readonly numbers: readonly number[];
	readonly matches: number;
	readonly files: number;
};

/** The score of the best chunk of each file that has one. */
function bestDocs(snapshot: Snapshot, scores: Scores, definitions: Definitions, allowed: Uint8Array): BestDocs {
	const byFile = new Float32Array(snapshot.files.length);
	const numbers: number[] = [];
	let matches = 0;
	let extra = 0;
	for (const doc of scores.found) {
		if (allowed[doc] === 0) continue;
		matches += 1;
		const file = snapshot.fileOf[doc] ?? 0;
		const score = scores.docs[doc] ?? 0;
		const before = byFile[file] ?? 0;
		if (before === 0) numbers.push(file);
		if (score > before) byFile[file] = score;
	}
	for (const doc of definitions.docs.keys()) {
		if (allowed[doc] === 0 || scores.matched[doc] !== 0) continue;
		matches += 1;
		if (byFile[snapshot.fileOf[doc] ?? 0] === 0) extra += 1;
	}
	return { byFile, numbers, matches, files: numbers.length + extra };
}

/** The file as a whole and its best chunk, each as a share of the best there is; the files worth a closer look. */
function chooseFiles(
	{ byFile, numbers }: BestDocs,
	scores: Scores,
	weights: Weights,
	most: number,
): Map<number, number> {
	// Never nothing: what was found by its meaning alone has no score of words to divide by.
	let mostFile = Number.MIN_VALUE;
	let mostDoc = Number.MIN_VALUE;
	for (const file of numbers) {
		mostFile = Math.max(mostFile, scores.files[file] ?? 0);
		mostDoc = Math.max(mostDoc, byFile[file] ?? 0);
	}
	const words = new Float64Array(numbers.length);
	for (let index = 0; index < numbers.length; index++) {
		const file = numbers[index] ?? 0;
		words[index] =
			(weights.fileShare * (scores.files[file] ?? 0)) / mostFile +
			((1 - weights.fileShare) * (byFile[file] ?? 0)) / mostDoc;
	}
	const floor = numbers.length > most ? (words.toSorted()[numbers.length - most] ?? 0) : 0;
	const chosen = new Map<number, number>();
	for (let index = 0; index < numbers.length; index++) {
		const score = words[index] ?? 0;
		if (score >= floor) chosen.set(numbers[index] ?? 0, score);
	}
	return chosen;
}

/** Files are lifted by how far they stand above the least similar candidate. */
function addVectors(
	candidates: readonly Candidate[],
	similarity: FileSimilarity,
	query: QueryTerms,
	weights: Weights,
): void {
	const similar = similarity(candidates.map(({ file }) => file));
	const ranked = [...similar.values()].sort((a, b) => b - a);
	const best = ranked[0] ?? 0;
	const floor = ranked[Math.min(59, ranked.length - 1)] ?? 0;
	if (best <= floor) return;
	const weight = query.shape === "symbol" ? weights.vectorSymbol : weights.vector;
	for (const candidate of candidates) {
		candidate.vector = weight * Math.max(0, ((similar.get(candidate.file) ?? floor) - floor) / (best - floor));
	}
}

/** The surest definition of each file that has one. */
function surenessByFile(snapshot: Snapshot, { docs }: Definitions, allowed: Uint8Array): Map<number, number> {
	const byFile = new Map<number, number>();
	for (const [doc, sure] of docs) {
		if (allowed[doc] !== 1) continue;
		const file = snapshot.fileOf[doc] ?? 0;
		byFile.set(file, Math.max(byFile.get(file) ?? 0, sure));
	}
	return byFile;
}

/** Paths, definitions and the kind of file. */
function addSignals(
	candidates: readonly Candidate[],
	snapshot: Snapshot,
	query: QueryTerms,
	sureness: ReadonlyMap<number, number>,
	weights: Weights,
): void {
	const match = pathMatcher(query.keywords);
	const keptOf = demotion(new Set(query.keywords), weights);
	const pathWeight = Math.min(1, weights.longQueryWords / Math.max(query.keywords.length, 1));
	for (const candidate of candidates) {
		const file = snapshot.files[candidate.file];
		if (!file) continue;
		const { name, folder, covered } = match(file.pathWords());
		candidate.path =
			pathWeight * (weights.path * name + weights.pathFolder * folder + weights.pathCovered * covered * name);
		candidate.kept = keptOf(file);
		const sure = sureness.get(candidate.file) ?? 0;
		candidate.definition =
			query.shape === "symbol"
				? weights.definition * sure * (1 + weights.definitionStem * covered)
				: weights.definitionInQuestion * sure;
	}
}

function spread(
	candidates: readonly Candidate[],
	snapshot: Snapshot,
	scores: Scores,
	definitions: Definitions,
	allowed: Uint8Array,
	weights: Weights,
	wanted: number,
): Ranked[] {
	// A file's best chunk has all of its score, so no hit among the first `wanted` is of a file further down than that.
	const files = candidates
		.map((candidate) => {
			const { words, path, definition, vector, kept } = candidate;
			return { candidate, total: (words + path + definition + vector) * kept };
		})
		.sort((a, b) => b.total - a.total || byPath(snapshot, a.candidate.file, b.candidate.file))
		.slice(0, wanted * 2 + 1);
	const places: { candidate: Candidate; doc: number; score: number }[] = [];
	for (const { candidate, total } of files) {
		const docs = docsOf(candidate.file, snapshot, scores, definitions, allowed)
			.map((doc) => ({ doc, strength: strengthOf(doc, snapshot, scores, definitions, weights) }))
			.sort((a, b) => b.strength - a.strength || a.doc - b.doc);
		const best = docs[0]?.strength ?? 0;
		for (const [place, { doc, strength }] of docs.slice(0, wanted * 2 + 1).entries()) {
			const share = place === 0 ? 1 : weights.sameFile ** place * (best === 0 ? 0 : strength / best);
			places.push({ candidate, doc, score: total * share });
		}
	}
	places.sort((a, b) => b.score - a.score || byPath(snapshot, a.candidate.file, b.candidate.file) || a.doc - b.doc);
	return places.map(({ candidate: { words, path, definition, vector }, doc, score }) => ({
		doc,
		score,
		parts: { words, path, definition, vector, demotion: score - (words + path + definition + vector) },
	}));
}

function docsOf(
	number: number,
	snapshot: Snapshot,
	scores: Scores,
	definitions: Definitions,
	allowed: Uint8Array,
): number[] {
	const file = snapshot.files[number];
	const docs: number[] = [];
	for (let doc = file?.first ?? 0; doc < (file?.first ?? 0) + (file?.docs ?? 0); doc++) {
		if (allowed[doc] === 1 && (scores.matched[doc] !== 0 || definitions.docs.has(doc))) docs.push(doc);
	}
	return docs;
}

/** Within a file: the definition asked for first, then named chunks before loose lines such as imports. */
function strengthOf(
	doc: number,
	snapshot: Snapshot,
	scores: Scores,
	definitions: Definitions,
	weights: Weights,
): number {
	const { segment } = snapshot.files[snapshot.fileOf[doc] ?? 0] ?? {};
	const loose = segment !== undefined && segment.columns.kind[doc - segment.base] === BLOCK;
	const sure = definitions.docs.get(doc) ?? 0;
	return (scores.docs[doc] ?? 0) * (1 + 2 * sure) * (loose ? weights.looseLines : 1) + sure * 1e-3;
}

function byPath(snapshot: Snapshot, a: number, b: number): number {
	const left = snapshot.files[a]?.path ?? "";
	const right = snapshot.files[b]?.path ?? "";
	return left < right ? -1 : left > right ? 1 : 0;
}
