import { pathEmbeddingTokens } from "../tokens/embeddingTokens.ts";
import { type Embedder, embedChunk } from "./embedder.ts";

/** The vectors of one segment, a signed byte per dimension; unit vectors need no scale of their own. */
export type SegmentVectors = { readonly model: string; readonly dims: number; readonly data: Int8Array };

/** Collects chunk vectors while a segment is built. */
export class VectorLog {
	readonly #embedder: Embedder;
	readonly #vector: Float32Array;
	#data: Int8Array;
	#length = 0;
	#pathRows: number[] = [];

	constructor(embedder: Embedder) {
		this.#embedder = embedder;
		this.#vector = new Float32Array(embedder.dims);
		this.#data = new Int8Array(embedder.dims * 256);
	}

	startFile(path: string): void {
		this.#pathRows = this.#rowsOf(pathEmbeddingTokens(path));
	}

	addChunk(text: string): void {
		const counts = new Map<number, number>();
		for (const row of this.#rowsOf(this.#embedder.tokens(text))) counts.set(row, (counts.get(row) ?? 0) + 1);
		embedChunk(this.#embedder, counts, this.#pathRows, this.#vector);
		const { dims } = this.#embedder;
		if ((this.#length + 1) * dims > this.#data.length) {
			const larger = new Int8Array(this.#data.length * 2);
			larger.set(this.#data);
			this.#data = larger;
		}
		quantise(this.#vector, this.#data.subarray(this.#length * dims, (this.#length + 1) * dims));
		this.#length += 1;
	}

	finish(): SegmentVectors {
		const { id, dims } = this.#embedder;
		return { model: id, dims, data: this.#data.subarray(0, this.#length * dims) };
	}

	clear(): void {
		this.#length = 0;
	}

	#rowsOf(tokens: readonly string[]): number[] {
		return tokens.map((token) => this.#embedder.row(token)).filter((row) => row >= 0);
	}
}

/** The largest component takes the full range; cosine does not depend on the scale. */
function quantise(vector: Float32Array, into: Int8Array): void {
	let most = 0;
	for (const value of vector) most = Math.max(most, Math.abs(value));
	const scale = most === 0 ? 0 : 127 / most;
	for (let index = 0; index < vector.length; index++) into[index] = Math.round((vector[index] ?? 0) * scale);
}
