import { BlockCache } from "../../query/fileTexts.ts";
import { widenArray } from "../../segment/bytes.ts";
import { MODES } from "../../segment/columns.ts";
import {
	decodeInto,
	decodePostings,
	IN_DOC,
	IN_FOLDER,
	IN_NAME,
	IN_STEM,
	STEP_COUNTS,
} from "../../segment/postings.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { IndexReader } from "../../store/store.ts";
import type { Weights } from "../weights.ts";
import type { TermImpacts } from "./scores.ts";

/** Size of the cache. A common word of a large repository takes a quarter of a megabyte. */
const MOST_BYTES = 12 * 1024 * 1024;
const MOST_COUNTS = 50_000;
/** More terms than one question has. The row of a common word takes tens of kilobytes. */
const MOST_ROWS = 64;

type Row = ReturnType<IndexReader["postings"]>;

/** Caches the impacts of one generation, by modes and term, each with its number of documents. */
export type ImpactCache = BlockCache<number>;

export function makeImpactCache(): ImpactCache {
	return new BlockCache(MOST_BYTES);
}

/**
 * The impact (score contribution) of terms in one generation of an index, for one set of modes. It does not depend on the
 * query, so it is computed once per term and cached.
 */
export class Impacts {
	readonly averages: Averages;
	readonly #snapshot: Snapshot;
	readonly #reader: IndexReader;
	readonly #counted: Uint8Array;
	/** The number of dead documents. */
	readonly #dead: number;
	readonly #weights: Weights;
	readonly #inFields: Float64Array;
	/** Length normalisation factor of each document. */
	readonly #norms: Float32Array;
	readonly #known: ImpactCache;
	readonly #prefix: string;
	readonly #counts = new Map<string, number>();
	/** Rows read by `count`. `of` needs them next for the terms that are rare enough. */
	readonly #rows = new Map<string, readonly Row[]>();
	/** Scratch space: the occurrences of the term being computed. */
	#places = { docs: new Uint32Array(1 << 12), values: new Uint8Array(1 << 12) };

	/** `counted` marks the documents that belong to the modes. */
	constructor(
		snapshot: Snapshot,
		reader: IndexReader,
		modes: readonly number[],
		counted: Uint8Array,
		weights: Weights,
		cache: ImpactCache = makeImpactCache(),
	) {
		this.#known = cache;
		this.#prefix = `${modes.join()}:`;
		this.averages = averagesOf(snapshot, modes);
		this.#snapshot = snapshot;
		this.#reader = reader;
		this.#counted = counted;
		this.#dead = snapshot.docs - snapshot.sums.reduce((sum, { docs }) => sum + docs, 0);
		this.#weights = weights;
		this.#inFields = fieldCounts(weights);
		const { chunkB } = weights;
		const perWord = chunkB / this.averages.docLength;
		this.#norms = new Float32Array(snapshot.docs);
		for (let doc = 0; doc < snapshot.docs; doc++) {
			this.#norms[doc] = 1 / (1 - chunkB + perWord * (snapshot.lengthOf[doc] ?? 0));
		}
	}

	/** How many documents have a term, including dead ones and those of other modes. */
	count(term: string): number {
		let count = this.#counts.get(term);
		if (count === undefined) {
			const rows = this.#read(term);
			count = 0;
			for (const row of rows) count += row?.count ?? 0;
			if (this.#counts.size >= MOST_COUNTS) this.#counts.clear();
			if (this.#rows.size >= MOST_ROWS) this.#rows.clear();
			if (count > 0) this.#rows.set(term, rows);
			this.#counts.set(term, count);
		}
		return count;
	}

	/** Whether a live document of any mode has a term. */
	isLive(term: string): boolean {
		return this.count(term) > this.#dead || this.liveCount(term) > 0;
	}

	/** How many live documents of any mode have a term. */
	liveCount(term: string): number {
		const count = this.count(term);
		if (count === 0 || this.#dead === 0) return count;
		const { segments, alive } = this.#snapshot;
		const rows = this.#rows.get(term) ?? this.#read(term);
		let live = 0;
		for (const [place, { base, docs, dead }] of segments.entries()) {
			const row = rows[place];
			if (!row) continue;
			if (dead.size === 0) live += row.count;
			else for (const local of decodePostings(row.bytes, row.count, docs).docs) live += alive[base + local] ?? 0;
		}
		return live;
	}

	/** The postings of a term in each segment. */
	#read(term: string): readonly Row[] {
		return this.#snapshot.segments.map(({ id }) => this.#reader.postings(id, term));
	}

	/** Valid until the next call. */
	of(term: string): TermImpacts {
		const known = this.#known.get(this.#prefix + term);
		return known ? viewsOf(known.bytes, known.about) : this.#workOut(term);
	}

	#workOut(term: string): TermImpacts {
		const docs = this.#occurrences(term);
		const files = this.#filesOf(docs);
		const bytes = this.#known.add(this.#prefix + term, 8 * (docs + files), docs);
		const impacts = viewsOf(bytes, docs);
		impacts.docs.set(this.#places.docs.subarray(0, docs));
		this.#setDocImpacts(impacts);
		this.#setFileImpacts(impacts);
		return impacts;
	}

	/**
	 * Keeps only live documents of the modes, so that a score does not depend on the index's history. Returns their
	 * number.
	 */
	#occurrences(term: string): number {
		const count = this.count(term);
		if (this.#places.docs.length < count) {
			const { docs, values } = this.#places;
			this.#places = { docs: widenArray(docs, count), values: widenArray(values, count) };
		}
		const { docs, values } = this.#places;
		const rows = this.#rows.get(term) ?? this.#read(term);
		this.#rows.delete(term);
		let kept = 0;
		for (const [place, { base, docs: limit }] of this.#snapshot.segments.entries()) {
			const row = rows[place];
			if (!row) continue;
			const from = kept;
			decodeInto(this.#places, from, row.bytes, row.count, limit);
			for (let index = from; index < from + row.count; index++) {
				const doc = base + (docs[index] ?? 0);
				if (this.#counted[doc] === 0) continue;
				docs[kept] = doc;
				values[kept] = values[index] ?? 0;
				kept += 1;
			}
		}
		return kept;
	}

	/** Counts the files. The documents of a file are adjacent. */
	#filesOf(count: number): number {
		const { fileOf } = this.#snapshot;
		const { docs } = this.#places;
		let files = 0;
		let last = -1;
		for (let index = 0; index < count; index++) {
			const file = fileOf[docs[index] ?? 0] ?? 0;
			if (file !== last) files += 1;
			last = file;
		}
		return files;
	}

	#setDocImpacts({ docs, docImpacts }: TermImpacts): void {
		const { values } = this.#places;
		const { chunkK1 } = this.#weights;
		const weight = inverse(this.averages.docs, docs.length) * (chunkK1 + 1);
		for (let index = 0; index < docs.length; index++) {
			const value = values[index] ?? 0;
			const norm = this.#norms[docs[index] ?? 0] ?? 0;
			const frequency = (COUNTS[value & 15] ?? 0) * norm + (this.#inFields[value >> 4] ?? 0);
			docImpacts[index] = (weight * frequency) / (chunkK1 + frequency);
		}
	}

	#setFileImpacts({ docs, files, fileImpacts }: TermImpacts): void {
		const { fileOf, files: entries } = this.#snapshot;
		const { values } = this.#places;
		const { fileK1, fileB } = this.#weights;
		const weight = inverse(this.averages.files, files.length) * (fileK1 + 1);
		let at = 0;
		for (let index = 0; index < files.length; index++) {
			const file = fileOf[docs[at] ?? 0] ?? 0;
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
			files[index] = file;
			fileImpacts[index] = (weight * frequency) / (fileK1 + frequency);
		}
	}
}

/** Layout: documents, their impacts, files, their impacts. */
function viewsOf({ buffer, byteOffset, length }: Uint8Array, docs: number): TermImpacts {
	const files = length / 8 - docs;
	return {
		docs: new Uint32Array(buffer, byteOffset, docs),
		docImpacts: new Float32Array(buffer, byteOffset + 4 * docs, docs),
		files: new Uint32Array(buffer, byteOffset + 8 * docs, files),
		fileImpacts: new Float32Array(buffer, byteOffset + 8 * docs + 4 * files, files),
	};
}

/** Totals and averages over the modes searched. A file's length counts only those modes. */
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

/** What each combination of fields adds to a term's count, indexed by the high half of a posting's value. */
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
