import { MODES } from "../index/columns.ts";
import { decodePostings, IN_DOC, IN_FOLDER, IN_NAME, IN_STEM, STEP_COUNTS } from "../index/postings.ts";
import type { Snapshot } from "../index/snapshot.ts";
import type { IndexReader } from "../index/store.ts";
import { ByteCache } from "../query/byteCache.ts";
import type { TermImpacts } from "./scores.ts";
import type { Weights } from "./weights.ts";

/** Bytes of impacts kept; a common word of a large repository takes a quarter of a megabyte. */
const MOST_BYTES = 12 * 1024 * 1024;
const MOST_COUNTS = 50_000;

/**
 * What terms are worth in one generation of an index, for one set of modes. Words come again from query to query, and
 * what each adds where does not depend on the query: it is worked out once and kept.
 */
export class Impacts {
	readonly averages: Averages;
	readonly #snapshot: Snapshot;
	readonly #reader: IndexReader;
	readonly #counted: Uint8Array;
	readonly #weights: Weights;
	readonly #inFields: Float64Array;
	/** What a count is multiplied by in each document: more in a short one. */
	readonly #norms: Float32Array;
	readonly #known = new ByteCache<TermImpacts>(MOST_BYTES);
	readonly #counts = new Map<string, number>();

	/** `counted` marks the documents that belong to the modes. */
	constructor(
		snapshot: Snapshot,
		reader: IndexReader,
		modes: readonly number[],
		counted: Uint8Array,
		weights: Weights,
	) {
		this.averages = averagesOf(snapshot, modes);
		this.#snapshot = snapshot;
		this.#reader = reader;
		this.#counted = counted;
		this.#weights = weights;
		this.#inFields = fieldCounts(weights);
		const { chunkB } = weights;
		const perWord = chunkB / this.averages.docLength;
		this.#norms = new Float32Array(snapshot.docs);
		for (let doc = 0; doc < snapshot.docs; doc++) {
			this.#norms[doc] = 1 / (1 - chunkB + perWord * (snapshot.lengthOf[doc] ?? 0));
		}
	}

	/** How many documents have a term, those of other modes and dead ones included. */
	count(term: string): number {
		let count = this.#counts.get(term);
		if (count === undefined) {
			count = 0;
			for (const { id } of this.#snapshot.segments) count += this.#reader.postingCount(id, term);
			if (this.#counts.size >= MOST_COUNTS) this.#counts.clear();
			this.#counts.set(term, count);
		}
		return count;
	}

	of(term: string): TermImpacts {
		let impacts = this.#known.get(term);
		if (impacts === undefined) {
			impacts = this.#workOut(term);
			this.#known.set(term, impacts, 8 * (impacts.docs.length + impacts.files.length) + 200);
		}
		return impacts;
	}

	#workOut(term: string): TermImpacts {
		const { docs, values } = this.#occurrences(term);
		const { fileOf } = this.#snapshot;
		const { chunkK1 } = this.#weights;
		const weight = inverse(this.averages.docs, docs.length) * (chunkK1 + 1);
		const docImpacts = new Float32Array(docs.length);
		const files: number[] = [];
		for (let index = 0; index < docs.length; index++) {
			const doc = docs[index] ?? 0;
			const value = values[index] ?? 0;
			const frequency = (COUNTS[value & 15] ?? 0) * (this.#norms[doc] ?? 0) + (this.#inFields[value >> 4] ?? 0);
			docImpacts[index] = (weight * frequency) / (chunkK1 + frequency);
			const file = fileOf[doc] ?? 0;
			if (files.at(-1) !== file) files.push(file);
		}
		return { docs, docImpacts, files: Uint32Array.from(files), fileImpacts: this.#fileImpacts(docs, values, files) };
	}

	/** Where the term is among what is searched and alive, so a score does not depend on how the index came to be. */
	#occurrences(term: string): { docs: Uint32Array; values: Uint8Array } {
		const docs = new Uint32Array(this.count(term));
		const values = new Uint8Array(docs.length);
		let kept = 0;
		for (const { id, base, docs: limit } of this.#snapshot.segments) {
			const row = this.#reader.postings(id, term);
			if (!row) continue;
			const postings = decodePostings(row.bytes, row.count, limit);
			for (let index = 0; index < row.count; index++) {
				const doc = base + (postings.docs[index] ?? 0);
				if (this.#counted[doc] === 0) continue;
				docs[kept] = doc;
				values[kept] = postings.values[index] ?? 0;
				kept += 1;
			}
		}
		// A copy where much was left out: a view would keep all of it.
		return kept * 2 > docs.length
			? { docs: docs.subarray(0, kept), values: values.subarray(0, kept) }
			: { docs: docs.slice(0, kept), values: values.slice(0, kept) };
	}

	/** The documents of a file come one after another. */
	#fileImpacts(docs: Uint32Array, values: Uint8Array, files: readonly number[]): Float32Array {
		const { fileOf, files: entries } = this.#snapshot;
		const { fileK1, fileB } = this.#weights;
		const weight = inverse(this.averages.files, files.length) * (fileK1 + 1);
		const impacts = new Float32Array(files.length);
		let at = 0;
		for (const [index, file] of files.entries()) {
			let count = 0;
			let fields = 0;
			for (; at < docs.length && fileOf[docs[at] ?? 0] === file; at++) {
				count += COUNTS[(values[at] ?? 0) & 15] ?? 0;
				fields |= values[at] ?? 0;
			}
			const { length = 0, extracted = 0 } = entries[file] ?? {};
			const words = this.averages.extractedOnly ? extracted : length;
			const norm = 1 - fileB + (fileB * words) / this.averages.fileLength;
			const frequency = count / norm + (this.#inFields[fields >> 4] ?? 0);
			impacts[index] = (weight * frequency) / (fileK1 + frequency);
		}
		return impacts;
	}
}

/** How much there is of what is searched. A file's length is that of the modes searched. */
export type Averages = {
	readonly docs: number;
	readonly docLength: number;
	readonly files: number;
	readonly fileLength: number;
	readonly extractedOnly: boolean;
};

function averagesOf(snapshot: Snapshot, modes: readonly number[]): Averages {
	let docs = 0;
	let length = 0;
	let files = 0;
	for (const mode of modes) {
		docs += snapshot.sums[mode]?.docs ?? 0;
		length += snapshot.sums[mode]?.length ?? 0;
		files += snapshot.sums[mode]?.files ?? 0;
	}
	return {
		docs,
		docLength: Math.max(length / Math.max(docs, 1), 1),
		files,
		fileLength: Math.max(length / Math.max(files, 1), 1),
		extractedOnly: modes.length === 1 && modes[0] === MODES.indexOf("extracted-prose"),
	};
}

const COUNTS = Float64Array.from(STEP_COUNTS);

/** What each set of fields adds to a term's count, by the high half of a posting's value. */
function fieldCounts(weights: Weights): Float64Array {
	return Float64Array.from({ length: 16 }, (_, high) => {
		const value = high << 4;
		return (
			((value & IN_NAME) !== 0 ? weights.name : 0) +
			((value & IN_DOC) !== 0 ? weights.doc : 0) +
			((value & IN_STEM) !== 0 ? weights.stem : 0) +
			((value & IN_FOLDER) !== 0 ? weights.folder : 0)
		);
	});
}

function inverse(total: number, frequency: number): number {
	return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
