import { copyRows, countRowBytes, openVectorKernel, type VectorKernel } from "./vectorKernel.ts";
import { findQuantum, type SegmentVectors } from "./vectorLog.ts";

/** Precise enough that rounding the query does not matter, small enough that every sum fits in 32 bits. */
const FINENESS = 4096;

/** Segments and files of a snapshot, with the numbers of their first documents. */
type Places = {
	readonly segments: readonly { readonly id: number; readonly base: number }[];
	readonly files: readonly { readonly first: number; readonly docs: number }[];
};

/** The vectors of one segment, numbered `from` to `to`. */
type Stored = { readonly from: number; readonly to: number; readonly data: Int8Array };

/** All vectors of one model in an index, in one WebAssembly memory, numbered across segments. */
export class VectorScan {
	/** The document in which each vector's passage begins. */
	readonly docs: Uint32Array;
	/** The first vector of each file, then the end of the last. */
	readonly starts: Uint32Array;
	readonly #dims: number;
	readonly #row: number;
	readonly #dots: VectorKernel["dots"];
	readonly #query: Int16Array;
	readonly #data: number;
	readonly #rows: Int8Array;
	readonly #products: Int32Array;
	readonly #scale: number;
	/** Vectors not yet copied into the memory. A process that runs a single query needs only a few of them. */
	#stored: readonly Stored[];
	#asked = 0;

	constructor(snapshot: Places, dims: number, vectorsOf: (segment: number) => SegmentVectors | undefined) {
		const parts = snapshot.segments.flatMap(({ id, base }) => {
			const vectors = vectorsOf(id);
			return vectors ? [{ base, vectors }] : [];
		});
		this.docs = new Uint32Array(parts.reduce((sum, { vectors }) => sum + vectors.docs.length, 0));
		let next = 0;
		for (const { base, vectors } of parts) for (const doc of vectors.docs) this.docs[next++] = base + doc;
		this.starts = startsOf(this.docs, snapshot.files);
		this.#dims = dims;
		this.#row = countRowBytes(dims);
		this.#scale = 1 / (FINENESS * findQuantum(dims));
		const count = this.docs.length;
		const products = 2 * this.#row;
		this.#data = products + Math.ceil((4 * count) / 16) * 16;
		const { buffer, dots } = openVectorKernel(this.#data + count * this.#row);
		this.#dots = dots;
		this.#query = new Int16Array(buffer, 0, this.#row);
		this.#products = new Int32Array(buffer, products, count);
		this.#rows = new Int8Array(buffer, this.#data);
		let place = 0;
		this.#stored = parts.map(({ vectors }) => {
			const from = place;
			place += vectors.docs.length;
			return { from, to: place, data: vectors.data };
		});
	}

	/** Sets the query vector for the following calls. */
	ask(query: Float64Array): void {
		if (this.#asked++ > 0) this.#takeAll();
		for (let index = 0; index < this.#dims; index++) {
			this.#query[index] = Math.round((query[index] ?? 0) * FINENESS);
		}
	}

	/** The cosine of a file's most similar passage, or -1 for a file without vectors. */
	ofFile(number: number): number {
		const from = this.starts[number] ?? 0;
		const to = this.starts[number + 1] ?? 0;
		this.#take(from, to);
		const products = this.#compare(from, to);
		let best = Number.NEGATIVE_INFINITY;
		for (let index = 0; index < products.length; index++) best = Math.max(best, products[index] ?? 0);
		return Math.max(-1, best * this.#scale);
	}

	/** The cosine of every vector, by vector number. */
	ofAll(): Float32Array {
		this.#takeAll();
		return Float32Array.from(this.#compare(0, this.docs.length), (product) => product * this.#scale);
	}

	#takeAll(): void {
		this.#take(0, this.docs.length);
		this.#stored = [];
	}

	/** Copies vectors into the memory unless that has been done. */
	#take(from: number, to: number): void {
		for (const stored of this.#stored) {
			const first = Math.max(from, stored.from);
			const last = Math.min(to, stored.to);
			if (first >= last) continue;
			const data = stored.data.subarray((first - stored.from) * this.#dims, (last - stored.from) * this.#dims);
			copyRows(data, this.#dims, this.#rows.subarray(first * this.#row));
		}
	}

	#compare(from: number, to: number): Int32Array {
		const row = this.#row;
		this.#dots(0, this.#data + from * row, this.#data + to * row, row, this.#products.byteOffset);
		return this.#products.subarray(0, to - from);
	}
}

function startsOf(docs: Uint32Array, files: Places["files"]): Uint32Array {
	const starts = new Uint32Array(files.length + 1);
	let place = 0;
	for (const [number, { first, docs: count }] of files.entries()) {
		starts[number] = place;
		while ((docs[place] ?? Number.POSITIVE_INFINITY) < first + count) place += 1;
	}
	starts[files.length] = place;
	return starts;
}
