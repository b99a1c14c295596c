import { findLeastOfBest, type Scores } from "./score/scores.ts";
import type { Weights } from "./weights.ts";

/** Number of files ranked in detail; all others come after them. */
const MOST_FILES = 200;

export type BestDocs = {
	/** The files found, and the score of each one's best chunk. */
	readonly numbers: Uint32Array;
	readonly scores: Float32Array;
	readonly matches: number;
	readonly files: number;
};

type Chosen = {
	/** The files to rank in detail. */
	readonly files: readonly Candidate[];
	others(): Candidate[];
};

/** Scores each file from its own and its best chunk's score, both relative to the maximum, and keeps the best files. */
export function chooseFiles(
	{ numbers, scores: bestOf }: BestDocs,
	scores: Scores,
	/** Files to keep whatever their words score. */
	certain: ReadonlySet<number>,
	weights: Weights,
): Chosen {
	// Never 0: if vectors alone found the files, no word score exists to divide by.
	let mostFile = Number.MIN_VALUE;
	let mostDoc = Number.MIN_VALUE;
	for (let index = 0; index < numbers.length; index++) {
		mostFile = Math.max(mostFile, scores.files[numbers[index] ?? 0] ?? 0);
		mostDoc = Math.max(mostDoc, bestOf[index] ?? 0);
	}
	const words = new Float64Array(numbers.length);
	for (let index = 0; index < numbers.length; index++) {
		const file = numbers[index] ?? 0;
		words[index] =
			(weights.fileShare * (scores.files[file] ?? 0)) / mostFile +
			((1 - weights.fileShare) * (bestOf[index] ?? 0)) / mostDoc;
	}
	const floor = findLeastOfBest(words, MOST_FILES);
	const files: Candidate[] = [];
	const left = new Set(certain);
	for (let index = 0; index < numbers.length; index++) {
		const score = words[index] ?? 0;
		if (score < floor) continue;
		const file = numbers[index] ?? 0;
		files.push(candidateOf(file, score));
		left.delete(file);
	}
	for (const file of left) files.push(candidateOf(file, 0));
	const others = (): Candidate[] => {
		const candidates: Candidate[] = [];
		for (const [index, file] of numbers.entries()) {
			if ((words[index] ?? 0) < floor && !left.has(file)) candidates.push(candidateOf(file, words[index] ?? 0));
		}
		return candidates;
	};
	return { files, others };
}

/** Ranks the remaining files by words and paths alone, all of them after the files ranked in detail. */
export function rankFollowers(chosen: Chosen, lookAt: (candidates: readonly Candidate[]) => void): Candidate[] {
	const others = chosen.others();
	lookAt(others);
	const least = chosen.files.reduce((sum, { total }) => Math.min(sum, total), Number.POSITIVE_INFINITY);
	const most = others.reduce((sum, { total }) => Math.max(sum, total), Number.MIN_VALUE);
	for (const candidate of others) candidate.total *= (BEHIND * least) / most;
	return others;
}

const BEHIND = 0.99;

function candidateOf(file: number, words: number): Candidate {
	return { file, words, path: 0, definition: 0, vector: 0, kept: 1, total: 0 };
}

/** A file that is ranked in detail, with the parts of its score. */
export type Candidate = {
	readonly file: number;
	words: number;
	path: number;
	definition: number;
	vector: number;
	/** Factor for the sum of the above, below 1 for tests, vendored and generated files. */
	kept: number;
	total: number;
};

export type Ranked = {
	readonly doc: number;
	readonly score: number;
	readonly candidate: Candidate;
};

/**
 * The parts that add up to a hit's score. `demotion` is the loss due to the kind of file and the rank within the file.
 */
export function splitScore({ score, candidate: { words, path, definition, vector } }: Ranked): Record<string, number> {
	return { words, path, definition, vector, demotion: score - (words + path + definition + vector) };
}
