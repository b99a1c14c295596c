/** A file that is looked at closely, and what speaks for it. */
export type Candidate = {
	readonly file: number;
	words: number;
	path: number;
	definition: number;
	vector: number;
	/** What is kept of the sum of the above: less of tests, vendored and generated files. */
	kept: number;
	total: number;
};

export type Ranked = {
	readonly doc: number;
	readonly score: number;
	readonly candidate: Candidate;
};

/** What a hit's score is the sum of; `demotion` is what its file and its place in that file cost it. */
export function scoreParts({ score, candidate: { words, path, definition, vector } }: Ranked): Record<string, number> {
	return { words, path, definition, vector, demotion: score - (words + path + definition + vector) };
}
