import { MODES } from "../index/columns.ts";
import { decodePostings, IN_DOC, IN_FOLDER, IN_NAME, IN_STEM, type Postings, STEP_COUNTS } from "../index/postings.ts";
import type { Snapshot } from "../index/snapshot.ts";
import type { IndexReader } from "../index/store.ts";
import type { QueryTerm } from "./queryTerms.ts";
import type { Weights } from "./weights.ts";

/** A paragraph has hundreds of words; the rarest of them find the place, the others only cost time. */
const MOST_TERMS = 28;
/** In a long query, a term that more than this share of the chunks have says nothing. */
const COMMON_SHARE = 0.3;
const LONG_QUERY_TERMS = 8;

export type Scores = {
	/** BM25F of each document and of each file. */
	readonly docs: Float32Array;
	readonly files: Float32Array;
	/** How many of the terms used each document has. */
	readonly matched: Uint8Array;
	/** Documents with a score, in rising order within each segment. */
	readonly found: number[];
	readonly capped: boolean;
};

type Loaded = QueryTerm & { readonly lists: readonly { base: number; postings: Postings }[]; readonly count: number };

/** Scores every document that has any of the terms. `counted` marks those that belong to the modes searched. */
export function scoreTerms(
	snapshot: Snapshot,
	reader: IndexReader,
	terms: readonly QueryTerm[],
	counted: Uint8Array,
	averages: Averages,
	weights: Weights,
): Scores {
	const docs = new Float32Array(snapshot.docs);
	const files = new Float32Array(snapshot.files.length);
	const matched = new Uint8Array(snapshot.docs);
	const found: number[] = [];
	const chosen = selective(
		terms.map((term) => lookUp(snapshot, reader, term)),
		snapshot.docs,
	);
	for (const term of chosen) addTerm(term, snapshot, counted, averages, weights, docs, files, matched, found);
	return { docs, files, matched, found, capped: chosen.length < terms.length };
}

/** How much there is of what is searched. A file's length is that of the modes searched. */
export type Averages = {
	readonly docs: number;
	readonly docLength: number;
	readonly files: number;
	readonly fileLength: number;
	readonly extractedOnly: boolean;
};

export function averagesOf(snapshot: Snapshot, modes: readonly number[]): Averages {
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

/** Lists stay encoded until a term is chosen: a common word's list is long and often not wanted. */
function lookUp(
	snapshot: Snapshot,
	reader: IndexReader,
	term: QueryTerm,
): QueryTerm & { count: number; load(): Loaded["lists"] } {
	const rows = snapshot.segments.flatMap((segment) => {
		const row = reader.postings(segment.id, term.term);
		return row ? [{ segment, row }] : [];
	});
	return {
		...term,
		count: rows.reduce((sum, { row }) => sum + row.count, 0),
		load: () =>
			rows.map(({ segment, row }) => ({
				base: segment.base,
				postings: decodePostings(row.bytes, row.count, segment.docs),
			})),
	};
}

function selective(terms: readonly ReturnType<typeof lookUp>[], docs: number): Loaded[] {
	const present = terms.filter(({ count }) => count > 0);
	const rarity = (count: number): number => Math.log(1 + docs / count);
	const ranked = present.toSorted(
		(a, b) => b.weight * rarity(b.count) - a.weight * rarity(a.count) || (a.term < b.term ? -1 : 1),
	);
	const useful =
		ranked.length > LONG_QUERY_TERMS
			? ranked.filter(({ count }, index) => index < LONG_QUERY_TERMS || count < docs * COMMON_SHARE)
			: ranked;
	return useful.slice(0, MOST_TERMS).map((term) => ({ ...term, lists: term.load() }));
}

function addTerm(
	term: Loaded,
	snapshot: Snapshot,
	counted: Uint8Array,
	averages: Averages,
	weights: Weights,
	docs: Float32Array,
	files: Float32Array,
	matched: Uint8Array,
	found: number[],
): void {
	const { fileOf, lengthOf } = snapshot;
	const { docFrequency, fileFrequency } = frequencies(term, fileOf, counted);
	if (docFrequency === 0) return;
	const weight = term.weight * (term.whole ? weights.wholeWord : 1);
	const { chunkK1, chunkB, fileK1, fileB } = weights;
	const docWeight = weight * inverse(averages.docs, docFrequency) * (chunkK1 + 1);
	const fileWeight = weight * inverse(averages.files, fileFrequency) * (fileK1 + 1);
	const chunkLength = chunkB / averages.docLength;
	const inFields = fieldCounts(weights);
	for (const { base, postings } of term.lists) {
		let file = -1;
		let fileCount = 0;
		let fileFields = 0;
		const closeFile = (): void => {
			if (file < 0) return;
			const { length = 0, extracted = 0 } = snapshot.files[file] ?? {};
			const norm = 1 - fileB + (fileB * (averages.extractedOnly ? extracted : length)) / averages.fileLength;
			const frequency = fileCount / norm + (inFields[fileFields >> 4] ?? 0);
			files[file] = (files[file] ?? 0) + (fileWeight * frequency) / (fileK1 + frequency);
		};
		for (let index = 0; index < postings.docs.length; index++) {
			const doc = base + (postings.docs[index] ?? 0);
			if (counted[doc] === 0) continue;
			const value = postings.values[index] ?? 0;
			const count = COUNTS[value & 15] ?? 0;
			const frequency = count / (1 - chunkB + chunkLength * (lengthOf[doc] ?? 0)) + (inFields[value >> 4] ?? 0);
			if (matched[doc] === 0) found.push(doc);
			matched[doc] = (matched[doc] ?? 0) + 1;
			docs[doc] = (docs[doc] ?? 0) + (docWeight * frequency) / (chunkK1 + frequency);
			const owner = fileOf[doc] ?? 0;
			if (owner !== file) {
				closeFile();
				file = owner;
				fileCount = 0;
				fileFields = 0;
			}
			fileCount += count;
			fileFields |= value;
		}
		closeFile();
	}
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

/** Counted over what is searched and alive, so a score does not depend on how the index came to be. */
function frequencies(
	term: Loaded,
	fileOf: Uint32Array,
	counted: Uint8Array,
): { docFrequency: number; fileFrequency: number } {
	let docFrequency = 0;
	let fileFrequency = 0;
	let last = -1;
	for (const { base, postings } of term.lists) {
		for (const local of postings.docs) {
			const doc = base + local;
			if (counted[doc] === 0) continue;
			docFrequency += 1;
			const file = fileOf[doc] ?? 0;
			if (file !== last) fileFrequency += 1;
			last = file;
		}
	}
	return { docFrequency, fileFrequency };
}

function inverse(total: number, frequency: number): number {
	return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
