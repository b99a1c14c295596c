/** A static token table: a text's vector is a weighted sum of its tokens' rows. Needs no network and no transformer. */
export type Embedder = {
	/** Stored with the index's vectors, so that vectors of different models are never compared. */
	readonly id: string;
	readonly dims: number;
	/** Row of a token; -1 if the table does not contain it. */
	row(token: string): number;
	/** Tokenises a text by the same rules the table was trained with. */
	tokens(text: string): readonly string[];
	/** Weight of a row in a document and in a query; both include the row's quantisation scale. */
	documentWeight(row: number): number;
	queryWeight(row: number): number;
	/** `dims` numbers per row. */
	readonly table: Int8Array | Float32Array;
};

/** Weight of path words relative to words of the body. */
export const PATH_WEIGHT = 4;

/** The rows of a text's known tokens, in order. */
export function listRows(embedder: Embedder, text: string): number[] {
	return embedder
		.tokens(text)
		.map((token) => embedder.row(token))
		.filter((row) => row >= 0);
}

/** The unit vector of a query; `undefined` if the table has none of its words. */
export function embedQuery(embedder: Embedder, query: string): Float64Array | undefined {
	const vector = new Float64Array(embedder.dims);
	const counts = new Map<number, number>();
	for (const row of listRows(embedder, query)) counts.set(row, (counts.get(row) ?? 0) + 1);
	for (const [row, count] of counts) addRow(embedder, row, count * embedder.queryWeight(row), vector);
	return normaliseVector(vector) ? vector : undefined;
}

export function addRow({ table, dims }: Embedder, row: number, weight: number, into: Float64Array): void {
	const from = row * dims;
	for (let index = 0; index < dims; index++) into[index] = (into[index] ?? 0) + weight * (table[from + index] ?? 0);
}

/** Scales a vector to length 1. Returns false for the zero vector. */
export function normaliseVector(vector: Float64Array): boolean {
	let sum = 0;
	for (const value of vector) sum += value * value;
	if (sum === 0) return false;
	const scale = 1 / Math.sqrt(sum);
	for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
	return true;
}
