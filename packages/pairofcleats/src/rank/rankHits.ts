import type { Snapshot } from "../index/snapshot.ts";
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

/** Files that are looked at closely; far beyond any page that is asked for. */
const MOST_FILES = 200;

type Candidate = {
	readonly file: number;
	readonly docs: number[];
	words: number;
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
): Ranked[] {
	const candidates = collect(snapshot, scores, definitions, allowed);
	const most = addWords(candidates, scores, weights);
	const near = candidates
		.sort((a, b) => b.words - a.words || byPath(snapshot, a.file, b.file))
		.slice(0, Math.max(MOST_FILES, wanted * 2));
	const chosen = new Set(near);
	for (const candidate of candidates)
		if (candidate.docs.some((doc) => definitions.docs.has(doc))) chosen.add(candidate);
	const files = [...chosen];
	if (similarity && most > 0) addVectors(files, similarity, query, weights);
	const match = pathMatcher(query.keywords);
	const keywords = new Set(query.keywords);
	const pathWeight = Math.min(1, weights.longQueryWords / Math.max(query.keywords.length, 1));
	for (const candidate of files) {
		const file = snapshot.files[candidate.file];
		if (!file) continue;
		const { name, folder, covered } = match(file.path);
		candidate.path =
			pathWeight * (weights.path * name + weights.pathFolder * folder + weights.pathCovered * covered * name);
		candidate.definition = definitionScore(candidate, definitions, query, covered, weights);
		candidate.kept = demotion(file, keywords, weights);
	}
	return spread(files, snapshot, scores, definitions, weights);
}

function collect(snapshot: Snapshot, scores: Scores, definitions: Definitions, allowed: Uint8Array): Candidate[] {
	const byFile = new Map<number, Candidate>();
	const add = (doc: number): void => {
		if (allowed[doc] === 0) return;
		const file = snapshot.fileOf[doc] ?? 0;
		const known = byFile.get(file);
		if (known) known.docs.push(doc);
		else byFile.set(file, { file, docs: [doc], words: 0, path: 0, definition: 0, vector: 0, kept: 1 });
	};
	for (const doc of scores.found) add(doc);
	for (const doc of definitions.docs.keys()) if (scores.matched[doc] === 0) add(doc);
	return [...byFile.values()];
}

/** The file as a whole and its best chunk, each as a share of the best there is. */
function addWords(candidates: readonly Candidate[], scores: Scores, weights: Weights): number {
	let mostFile = 0;
	let mostDoc = 0;
	for (const { file, docs } of candidates) {
		mostFile = Math.max(mostFile, scores.files[file] ?? 0);
		for (const doc of docs) mostDoc = Math.max(mostDoc, scores.docs[doc] ?? 0);
	}
	if (mostDoc === 0) return 0;
	for (const candidate of candidates) {
		let best = 0;
		for (const doc of candidate.docs) best = Math.max(best, scores.docs[doc] ?? 0);
		candidate.words =
			(weights.fileShare * (scores.files[candidate.file] ?? 0)) / mostFile + ((1 - weights.fileShare) * best) / mostDoc;
	}
	return mostDoc;
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

function definitionScore(
	candidate: Candidate,
	definitions: Definitions,
	query: QueryTerms,
	covered: number,
	weights: Weights,
): number {
	let best = 0;
	for (const doc of candidate.docs) best = Math.max(best, definitions.docs.get(doc) ?? 0);
	if (best === 0) return 0;
	return query.shape === "symbol"
		? weights.definition * best * (1 + weights.definitionStem * covered)
		: weights.definitionInQuestion * best;
}

function spread(
	candidates: readonly Candidate[],
	snapshot: Snapshot,
	scores: Scores,
	definitions: Definitions,
	weights: Weights,
): Ranked[] {
	const ranked: Ranked[] = [];
	for (const candidate of candidates) {
		const { words, path, definition, vector, kept } = candidate;
		const total = words + path + definition + vector;
		const strength = (doc: number): number =>
			(scores.docs[doc] ?? 0) * (1 + 2 * (definitions.docs.get(doc) ?? 0)) + (definitions.docs.get(doc) ?? 0) * 1e-3;
		const docs = candidate.docs.sort((a, b) => strength(b) - strength(a) || a - b);
		const best = strength(docs[0] ?? 0);
		for (const [place, doc] of docs.entries()) {
			const share = place === 0 ? 1 : weights.sameFile ** place * (best === 0 ? 0 : strength(doc) / best);
			const score = total * kept * share;
			ranked.push({ doc, score, parts: { words, path, definition, vector, demotion: score - total } });
		}
	}
	return ranked.sort(
		(a, b) =>
			b.score - a.score || byPath(snapshot, snapshot.fileOf[a.doc] ?? 0, snapshot.fileOf[b.doc] ?? 0) || a.doc - b.doc,
	);
}

function byPath(snapshot: Snapshot, a: number, b: number): number {
	const left = snapshot.files[a]?.path ?? "";
	const right = snapshot.files[b]?.path ?? "";
	return left < right ? -1 : left > right ? 1 : 0;
}
