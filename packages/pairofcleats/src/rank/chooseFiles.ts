import type { Candidate } from "./candidate.ts";
import { leastOfBest } from "./leastOfBest.ts";
import type { Scores } from "./scores.ts";
import type { Weights } from "./weights.ts";

/** Files that are looked at closely; the others follow them. */
const MOST_FILES = 200;

export type BestDocs = {
	/** The files found, and the score of the best chunk of each. */
	readonly numbers: Uint32Array;
	readonly scores: Float32Array;
	readonly matches: number;
	readonly files: number;
};

export type Chosen = {
	/** Those worth a closer look. */
	readonly files: readonly Candidate[];
	others(): Candidate[];
};

/** The file as a whole and its best chunk, each as a share of the best there is. */
export function chooseFiles(
	{ numbers, scores: bestOf }: BestDocs,
	scores: Scores,
	/** Files that are looked at whatever their words are worth. */
	certain: ReadonlySet<number>,
	weights: Weights,
): Chosen {
	// Never nothing: what was found by its meaning alone has no score of words to divide by.
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
	const floor = leastOfBest(words, MOST_FILES);
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

/** The files that were not looked at closely, by their words and paths alone, each behind all of those that were. */
export function followers(chosen: Chosen, lookAt: (candidates: readonly Candidate[]) => void): Candidate[] {
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
