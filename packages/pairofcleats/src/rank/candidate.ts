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
export function scoreParts({ score, candidate: { words, path, definition, vector } }: Ranked): Record<string, number> {
	return { words, path, definition, vector, demotion: score - (words + path + definition + vector) };
}
