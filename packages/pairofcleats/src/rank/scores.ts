/** The scores of all documents and files for one query. One instance per index is reused by every search. */
export class Scores {
	/** BM25F of each document and of each file; above zero exactly where the query is found. */
	readonly docs: Float32Array;
	readonly files: Float32Array;
	/** The documents' scores as raw bits: for non-negative floats these compare in the same order. */
	readonly docBits: Int32Array;
	/** Files that have the identifier asked for, not only parts of it. */
	readonly whole = new Set<number>();
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
		this.whole.clear();
	}

	/** Adds the impacts of a term, times its weight in the query. */
	addImpacts(impacts: TermImpacts, weight: number): void {
		addTo(this.docs, impacts.docs, impacts.docImpacts, weight);
		addTo(this.files, impacts.files, impacts.fileImpacts, weight);
	}

	/** Adds a document that was found otherwise, unless its words were found too. */
	add(doc: number, file: number, score: number): void {
		if (this.docs[doc] === 0) this.docs[doc] = score;
		if (this.files[file] === 0) this.files[file] = score;
	}
}

/** What one occurrence in a query of a term adds to the score of each document and file that has it. */
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
