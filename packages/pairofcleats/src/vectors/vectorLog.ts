import { listPathTokens } from "../tokens/words.ts";
import { addRow, type Embedder, normaliseVector, PATH_WEIGHT } from "./embedder.ts";
import { copyRows, countRowBytes, openVectorKernel } from "./vectorKernel.ts";

/**
 * The vectors of one segment, a signed byte per dimension. Each embeds a passage of a file, which may span small chunks
 * or be part of a large one. The vectors of a file are adjacent, in order.
 */
export type SegmentVectors = {
	readonly model: string;
	readonly dims: number;
	/** The chunk in which each vector's passage begins. */
	readonly docs: Uint32Array;
	readonly data: Int8Array;
};

/** Words per vector: about forty lines of code. */
const STRETCH = 192;

/** Collects the vectors of files while a segment is built, reusing the words that are counted there anyway. */
export class VectorLog {
	readonly #embedder: Embedder;
	readonly #sum: RowSum;
	/** How often each row occurs in the passage; all 0 between passages. */
	readonly #counts: Uint32Array;
	#pathRows: readonly number[] = [];
	/** Rows of the file's words in order, and for each chunk the number of rows before it. */
	#rows: Uint32Array = new Uint32Array(1 << 16);
	#length = 0;
	#chunks: { readonly doc: number; readonly from: number }[] = [];
	#docs: number[] = [];
	#data: Int8Array;

	constructor(embedder: Embedder) {
		this.#embedder = embedder;
		this.#sum = makeRowSum(embedder);
		this.#counts = new Uint32Array(embedder.table.length / embedder.dims);
		this.#data = new Int8Array(embedder.dims * 256);
	}

	startFile(path: string): void {
		this.#pathRows = listPathTokens(path)
			.map((token) => this.#embedder.row(token))
			.filter((row) => row >= 0);
		this.#length = 0;
		this.#chunks = [];
	}

	startChunk(doc: number): void {
		this.#chunks.push({ doc, from: this.#length });
	}

	addWord(rows: readonly number[]): void {
		if (this.#length + rows.length > this.#rows.length) {
			const larger = new Uint32Array(2 * (this.#length + rows.length));
			larger.set(this.#rows);
			this.#rows = larger;
		}
		for (const row of rows) this.#rows[this.#length++] = row;
	}

	/** Cuts the file into equal passages, so that the last one is not too short. */
	endFile(): void {
		if (this.#chunks.length === 0 || this.#length + this.#pathRows.length === 0) return;
		const count = Math.max(1, Math.round(this.#length / STRETCH));
		let chunk = 0;
		for (let stretch = 0; stretch < count; stretch++) {
			const from = Math.floor((stretch * this.#length) / count);
			while ((this.#chunks[chunk + 1]?.from ?? Number.POSITIVE_INFINITY) <= from) chunk += 1;
			this.#embed(from, Math.floor(((stretch + 1) * this.#length) / count));
			this.#keep(this.#chunks[stretch === 0 ? 0 : chunk]?.doc ?? 0);
		}
	}

	finish(): SegmentVectors {
		const { id, dims } = this.#embedder;
		const docs = Uint32Array.from(this.#docs);
		return { model: id, dims, docs, data: this.#data.subarray(0, docs.length * dims) };
	}

	clear(): void {
		this.#docs = [];
	}

	/** Embeds a passage: the words, weighted by the square root of their counts, plus the words of the path. */
	#embed(from: number, to: number): void {
		const rows = this.#rows.subarray(from, to);
		this.#sum.vector.fill(0);
		for (const row of rows) this.#counts[row] = (this.#counts[row] ?? 0) + 1;
		for (const row of rows) {
			const count = this.#counts[row] ?? 0;
			if (count === 0) continue;
			this.#counts[row] = 0;
			this.#sum.add(row, Math.sqrt(count) * this.#embedder.documentWeight(row));
		}
		for (const row of this.#pathRows) this.#sum.add(row, PATH_WEIGHT * this.#embedder.documentWeight(row));
		normaliseVector(this.#sum.vector);
	}

	#keep(doc: number): void {
		const { dims } = this.#embedder;
		const at = this.#docs.length * dims;
		if (at + dims > this.#data.length) {
			const larger = new Int8Array(this.#data.length * 2);
			larger.set(this.#data);
			this.#data = larger;
		}
		quantiseVector(this.#sum.vector, this.#data.subarray(at, at + dims));
		this.#docs.push(doc);
	}
}

/** A sum of weighted rows of an embedder's table. */
type RowSum = {
	readonly vector: Float64Array;
	add(row: number, weight: number): void;
};

/** One per embedder, because it copies the table, which would take longer than embedding an edited file. */
const sums = new WeakMap<Embedder, RowSum>();

/** The embedder's shared sum. Valid until the next caller uses it. */
export function makeRowSum(embedder: Embedder): RowSum {
	let sum = sums.get(embedder);
	if (!sum) {
		sum = embedder.table instanceof Int8Array ? sumOfBytes(embedder.table, embedder.dims) : sumOfFloats(embedder);
		sums.set(embedder, sum);
	}
	return sum;
}

function sumOfBytes(table: Int8Array, dims: number): RowSum {
	const row = countRowBytes(dims);
	const tableAt = 8 * row;
	const { buffer, addRow } = openVectorKernel(tableAt + (table.length / dims) * row);
	copyRows(table, dims, new Int8Array(buffer, tableAt));
	return {
		vector: new Float64Array(buffer, 0, dims),
		add: (number, weight) => addRow(tableAt + number * row, tableAt + (number + 1) * row, weight, 0),
	};
}

function sumOfFloats(embedder: Embedder): RowSum {
	const vector = new Float64Array(embedder.dims);
	return { vector, add: (row, weight) => addRow(embedder, row, weight, vector) };
}

/**
 * The factor that turns a unit vector's component into a signed byte. It depends only on the number of dimensions, so
 * stored vectors need no scale of their own. Larger components are clamped.
 */
export function findQuantum(dims: number): number {
	return 127 / Math.min(1, 8 / Math.sqrt(dims));
}

function quantiseVector(vector: Float64Array, into: Int8Array): void {
	const scale = findQuantum(vector.length);
	for (let index = 0; index < vector.length; index++) {
		into[index] = Math.max(-127, Math.min(127, Math.round((vector[index] ?? 0) * scale)));
	}
}
