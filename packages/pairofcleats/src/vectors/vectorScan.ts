import { type Dots, dotKernel } from "./dotKernel.ts";
import { quantum } from "./quantise.ts";
import type { SegmentVectors } from "./vectorLog.ts";

/** So fine that rounding the query costs nothing, and so coarse that no sum leaves 32 bits. */
const FINENESS = 4096;

/** Segments and files of a snapshot, and where their documents begin. */
type Places = {
	readonly segments: readonly { readonly id: number; readonly base: number }[];
	readonly files: readonly { readonly first: number; readonly docs: number }[];
};

/** Every vector of one model in an index, in one memory, numbered through all segments. */
export class VectorScan {
	/** The document that each vector's stretch begins in. */
	readonly docs: Uint32Array;
	/** Where the vectors of each file begin; one entry more says where the last ones end. */
	readonly starts: Uint32Array;
	readonly #dims: number;
	readonly #row: number;
	readonly #dots: Dots;
	readonly #query: Int16Array;
	readonly #data: number;
	readonly #products: Int32Array;

	constructor(snapshot: Places, dims: number, vectorsOf: (segment: number) => SegmentVectors | undefined) {
		const parts = snapshot.segments.flatMap(({ id, base }) => {
			const vectors = vectorsOf(id);
			return vectors ? [{ base, vectors }] : [];
		});
		this.docs = Uint32Array.from(parts.flatMap(({ base, vectors }) => Array.from(vectors.docs, (doc) => base + doc)));
		this.starts = startsOf(this.docs, snapshot.files);
		this.#dims = dims;
		this.#row = Math.ceil(dims / 16) * 16;
		const count = this.docs.length;
		const products = 2 * this.#row;
		this.#data = products + Math.ceil((4 * count) / 16) * 16;
		const { buffer, dots } = dotKernel(this.#data + count * this.#row);
		this.#dots = dots;
		this.#query = new Int16Array(buffer, 0, this.#row);
		this.#products = new Int32Array(buffer, products, count);
		const data = new Int8Array(buffer, this.#data);
		let place = 0;
		for (const { vectors } of parts) {
			for (let index = 0; index < vectors.docs.length; index++, place++) {
				data.set(vectors.data.subarray(index * dims, (index + 1) * dims), place * this.#row);
			}
		}
	}

	/** Cosines of a unit vector with every vector, by its place. */
	similarities(query: Float64Array): Float32Array {
		for (let index = 0; index < this.#dims; index++) {
			this.#query[index] = Math.round((query[index] ?? 0) * FINENESS);
		}
		const end = this.#data + this.docs.length * this.#row;
		this.#dots(0, this.#data, end, this.#row, this.#products.byteOffset);
		const scale = 1 / (FINENESS * quantum(this.#dims));
		const similarities = new Float32Array(this.#products.length);
		for (let place = 0; place < similarities.length; place++) {
			similarities[place] = (this.#products[place] ?? 0) * scale;
		}
		return similarities;
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
