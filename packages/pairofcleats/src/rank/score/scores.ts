/** The scores of all documents and files for one query. One instance per index is reused by every search. */
export class Scores {
	/** BM25F of each document and of each file; above 0 exactly for those that match. */
	readonly docs: Float32Array;
	readonly files: Float32Array;
	/** The documents' scores as raw bits: for non-negative floats these compare in the same order. */
	readonly docBits: Int32Array;
	/** Files that have the identifier asked for, not only parts of it. */
	readonly whole = new Set<number>();
	/** Documents that have it, in lists that may overlap: one set of them would take as long as the scoring. */
	readonly wholeDocs: (readonly number[] | Uint32Array)[] = [];
	/** Scratch space: the files found and the best document score of each, as floats and as bits. */
	readonly found: Uint32Array;
	readonly best: Float32Array;
	readonly bestBits: Int32Array;

	constructor(docs: number, files: number) {
		this.docs = new Float32Array(docs);
		this.files = new Float32Array(files);
		this.found = new Uint32Array(files);
		this.best = new Float32Array(files);
		this.docBits = new Int32Array(this.docs.buffer);
		this.bestBits = new Int32Array(this.best.buffer);
	}

	clear(): void {
		this.docs.fill(0);
		this.files.fill(0);
		this.clearWhole();
	}

	clearWhole(): void {
		this.whole.clear();
		this.wholeDocs.length = 0;
	}

	/** Multiplies the scores of documents with only parts of the identifier by `share`, if others have it whole. */
	lessenParts(share: number, kept: ReadonlyMap<number, unknown>): void {
		if (this.wholeDocs.every(({ length }) => length === 0)) return;
		const { docs } = this;
		const spared = [...this.wholeDocs, [...kept.keys()]].map((list) => ({
			list,
			scores: Float32Array.from(list, (doc) => docs[doc] ?? 0),
		}));
		for (let doc = 0; doc < docs.length; doc++) docs[doc] = share * (docs[doc] ?? 0);
		for (const { list, scores } of spared) {
			for (let index = 0; index < list.length; index++) docs[list[index] ?? 0] = scores[index] ?? 0;
		}
	}

	/** Adds the impacts of a term, times its weight in the query. */
	addImpacts(impacts: TermImpacts, weight: number): void {
		addTo(this.docs, impacts.docs, impacts.docImpacts, weight);
		addTo(this.files, impacts.files, impacts.fileImpacts, weight);
	}

	/** Scores a document that was found by other means, unless its words have scored it already. */
	add(doc: number, file: number, score: number): void {
		if (this.docs[doc] === 0) this.docs[doc] = score;
		if (this.files[file] === 0) this.files[file] = score;
	}
}

/** What a term of weight 1 adds to the score of each document and file that has it. */
export type TermImpacts = {
	readonly docs: Uint32Array;
	readonly docImpacts: Float32Array;
	readonly files: Uint32Array;
	readonly fileImpacts: Float32Array;
};

function addTo(sums: Float32Array, places: Uint32Array, impacts: Float32Array, weight: number): void {
	for (let index = 0; index < places.length; index++) {
		const place = places[index] ?? 0;
		sums[place] = (sums[place] ?? 0) + weight * (impacts[index] ?? 0);
	}
}

/** The least of the `most` greatest values, found without a full sort. -Infinity when there are no more than `most`. */
export function findLeastOfBest(values: Float32Array | Float64Array, most: number): number {
	if (values.length <= most) return Number.NEGATIVE_INFINITY;
	// A min-heap: most values are below its top and cost one comparison.
	const heap = values.slice(0, most).sort();
	for (let index = most; index < values.length; index++) {
		const value = values[index] ?? 0;
		if (value > (heap[0] ?? 0)) replaceTop(heap, value);
	}
	return heap[0] ?? 0;
}

function replaceTop(heap: Float32Array | Float64Array, value: number): void {
	let place = 0;
	for (;;) {
		let child = 2 * place + 1;
		if (child >= heap.length) break;
		if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
		if ((heap[child] ?? 0) >= value) break;
		heap[place] = heap[child] ?? 0;
		place = child;
	}
	heap[place] = value;
}
