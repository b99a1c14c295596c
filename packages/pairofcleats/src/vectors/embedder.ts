/** A static token table: a text's vector is a weighted sum of its tokens' rows. No network, no transformer. */
export type Embedder = {
	/** Vectors of different models never meet: the index keeps this id beside its vectors. */
	readonly id: string;
	readonly dims: number;
	/** Row of a token, or -1 for one the table does not know. */
	row(token: string): number;
	/** The tokens of a text, by the rule the table was trained with. */
	tokens(text: string): readonly string[];
	/** Weight of a row in a document and in a query; both include the row's quantisation scale. */
	documentWeight(row: number): number;
	queryWeight(row: number): number;
	/** `dims` numbers per row. */
	readonly table: Int8Array | Float32Array;
};

/** Path words count this much more than words of the body. */
const PATH_WEIGHT = 4;

/** The unit vector of a chunk: root-damped counts of its tokens, and the words of its path. */
export function embedChunk(
	embedder: Embedder,
	counts: ReadonlyMap<number, number>,
	pathRows: readonly number[],
	into: Float32Array,
): void {
	into.fill(0);
	for (const [row, count] of counts) addRow(embedder, row, Math.sqrt(count) * embedder.documentWeight(row), into);
	for (const row of pathRows) addRow(embedder, row, PATH_WEIGHT * embedder.documentWeight(row), into);
	normalise(into);
}

/** The unit vector of a query, or `undefined` when the table knows none of its words. */
export function embedQuery(embedder: Embedder, query: string): Float32Array | undefined {
	const vector = new Float32Array(embedder.dims);
	let known = 0;
	for (const token of embedder.tokens(query)) {
		const row = embedder.row(token);
		if (row < 0) continue;
		known += 1;
		addRow(embedder, row, embedder.queryWeight(row), vector);
	}
	return known > 0 && normalise(vector) ? vector : undefined;
}

function addRow(embedder: Embedder, row: number, weight: number, into: Float32Array): void {
	const { table, dims } = embedder;
	const from = row * dims;
	for (let index = 0; index < dims; index++) into[index] = (into[index] ?? 0) + weight * (table[from + index] ?? 0);
}

function normalise(vector: Float32Array): boolean {
	let sum = 0;
	for (const value of vector) sum += value * value;
	if (sum === 0) return false;
	const scale = 1 / Math.sqrt(sum);
	for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
	return true;
}
