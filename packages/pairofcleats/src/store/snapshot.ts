import { CHUNK_KINDS } from "../parse/chunk.ts";
import { type Columns, MODES, type Mode, unpackColumns } from "../segment/columns.ts";
import type { FileEntry } from "../segment/indexedFile.ts";
import type { StringTable } from "../segment/stringTable.ts";
import { PathTable, type PathWords } from "../tokens/pathWords.ts";
import type { IndexReader } from "./store.ts";

/** One generation of an index as a search sees it. Documents are numbered across all segments. */
export type Snapshot = {
	readonly generation: number;
	readonly segments: readonly LiveSegment[];
	/** Documents in all segments, dead ones included. */
	readonly docs: number;
	/** 1 for each live document. */
	readonly alive: Uint8Array;
	/** File number of each document, across all segments. */
	readonly fileOf: Uint32Array;
	/** The first document of each file, then the end of the last. */
	readonly firstOf: Uint32Array;
	readonly files: readonly SnapshotFile[];
	/** Resolves the word numbers in the files' path words. */
	readonly paths: PathTable;
	/** Mode and length of each document, across all segments. */
	readonly modeOf: Uint8Array;
	readonly lengthOf: Uint16Array;
	/** By mode: the live documents, their total length, and the number of files they are in. */
	readonly sums: readonly { readonly docs: number; readonly length: number; readonly files: number }[];
};

export type LiveSegment = {
	readonly id: number;
	/** Number of its first document and of its first file. */
	readonly base: number;
	readonly fileBase: number;
	readonly docs: number;
	readonly columns: Columns;
	readonly files: readonly FileEntry[];
	readonly dead: ReadonlySet<number>;
	readonly names: () => StringTable;
	readonly qualifiedNames: () => StringTable;
	readonly signatures: () => StringTable;
};

const BLOCK = CHUNK_KINDS.indexOf("block");

/** A file of a snapshot, with the position of its documents among all documents. */
export class SnapshotFile implements FileEntry {
	readonly path: string;
	readonly language: string;
	readonly mode: Mode;
	readonly role: FileEntry["role"];
	readonly hash: string;
	readonly bytes: number;
	readonly method: FileEntry["method"];
	readonly parseErrors: number;
	readonly firstDoc: number;
	readonly docs: number;
	readonly segment: LiveSegment;
	readonly ordinal: number;
	/** The number of its first document, and whether the file is live. */
	readonly first: number;
	readonly alive: boolean;
	/** Number of words in its chunks, and in the comments extracted from it. */
	readonly length: number;
	readonly extracted: number;
	readonly #paths: PathTable;
	#pathWords: PathWords | undefined;
	#declares: boolean | undefined;

	constructor(
		entry: FileEntry,
		segment: LiveSegment,
		ordinal: number,
		length: number,
		extracted: number,
		paths: PathTable,
	) {
		this.path = entry.path;
		this.language = entry.language;
		this.mode = entry.mode;
		this.role = entry.role;
		this.hash = entry.hash;
		this.bytes = entry.bytes;
		this.method = entry.method;
		this.parseErrors = entry.parseErrors;
		this.firstDoc = entry.firstDoc;
		this.docs = entry.docs;
		this.segment = segment;
		this.ordinal = ordinal;
		this.first = segment.base + entry.firstDoc;
		this.alive = !segment.dead.has(ordinal);
		this.length = length;
		this.extracted = extracted;
		this.#paths = paths;
	}

	/** Computed on first use. */
	pathWords(): PathWords {
		this.#pathWords ??= this.#paths.read(this.path);
		return this.#pathWords;
	}

	/** Whether any of its chunks is a declaration, rather than loose lines. */
	declares(): boolean {
		const { kind } = this.segment.columns;
		this.#declares ??= kind.subarray(this.firstDoc, this.firstDoc + this.docs).some((one) => one !== BLOCK);
		return this.#declares;
	}
}

export function takeSnapshot(reader: IndexReader): Snapshot {
	return reader.read(() => buildSnapshot(reader));
}

function buildSnapshot(reader: IndexReader): Snapshot {
	const segments: LiveSegment[] = [];
	let docs = 0;
	let fileCount = 0;
	for (const stored of reader.segments()) {
		segments.push({
			id: stored.id,
			base: docs,
			fileBase: fileCount,
			docs: stored.docs,
			columns: unpackColumns(stored.columns(), stored.docs),
			files: stored.files,
			dead: new Set(stored.dead),
			names: stored.names,
			qualifiedNames: stored.qualifiedNames,
			signatures: stored.signatures,
		});
		docs += stored.docs;
		fileCount += stored.files.length;
	}
	const alive = new Uint8Array(docs);
	const fileOf = new Uint32Array(docs);
	const modeOf = new Uint8Array(docs);
	const lengthOf = new Uint16Array(docs);
	const firstOf = new Uint32Array(fileCount + 1).fill(docs);
	const files: SnapshotFile[] = [];
	const paths = new PathTable();
	const sums = MODES.map(() => ({ docs: 0, length: 0, files: 0 }));
	for (const segment of segments) {
		modeOf.set(segment.columns.mode, segment.base);
		lengthOf.set(segment.columns.length, segment.base);
		const words = wordsOf(segment);
		// An indexed loop, because it runs once per file, mostly before V8 optimises it.
		for (let ordinal = 0; ordinal < segment.files.length; ordinal++) {
			const entry = segment.files[ordinal];
			if (!entry) continue;
			const at = ordinal * SUMS_A_FILE;
			const extracted = words[at + 2 * EXTRACTED + 1] ?? 0;
			let length = -extracted;
			for (let mode = 0; mode < MODES.length; mode++) length += words[at + 2 * mode + 1] ?? 0;
			const file = new SnapshotFile(entry, segment, ordinal, length, extracted, paths);
			fileOf.fill(files.length, file.first, file.first + file.docs);
			firstOf[files.length] = file.first;
			files.push(file);
			if (!file.alive) continue;
			alive.fill(1, file.first, file.first + file.docs);
			for (let mode = 0; mode < MODES.length; mode++) {
				const sum = sums[mode];
				const count = words[at + 2 * mode] ?? 0;
				if (!sum || count === 0) continue;
				sum.docs += count;
				sum.length += words[at + 2 * mode + 1] ?? 0;
				sum.files += 1;
			}
		}
	}
	return {
		generation: reader.generation(),
		segments,
		docs,
		alive,
		fileOf,
		firstOf,
		files,
		paths,
		modeOf,
		lengthOf,
		sums,
	};
}

const EXTRACTED = MODES.indexOf("extracted-prose");
/** For each mode, the number of the file's documents and of the words in them. */
const SUMS_A_FILE = 2 * MODES.length;

/** Cached by file list, which outlives a snapshot and whose chunks never change. */
const WORDS = new WeakMap<readonly FileEntry[], Uint32Array>();

function wordsOf({ files, columns: { mode, length } }: LiveSegment): Uint32Array {
	const known = WORDS.get(files);
	if (known) return known;
	const words = new Uint32Array(files.length * SUMS_A_FILE);
	let ordinal = 0;
	for (const { firstDoc, docs } of files) {
		const base = ordinal++ * SUMS_A_FILE;
		for (let doc = firstDoc; doc < firstDoc + docs; doc++) {
			const at = base + 2 * (mode[doc] ?? 0);
			words[at] = (words[at] ?? 0) + 1;
			words[at + 1] = (words[at + 1] ?? 0) + (length[doc] ?? 0);
		}
	}
	WORDS.set(files, words);
	return words;
}

/**
 * Which modes a search covers. Comments are already part of their code, so they are searched separately only on
 * request.
 */
export function readModes(mode: string): ReadonlySet<Mode> {
	switch (mode) {
		case "code":
		case "prose":
		case "extracted-prose":
		case "records":
			return new Set([mode]);
		case "all":
			return new Set(MODES);
		default:
			return new Set(["code", "prose"]);
	}
}

/** The segment of a document, and its number there. */
export function locateDocument(snapshot: Snapshot, doc: number): { segment: LiveSegment; local: number } {
	const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
	if (!file) throw new RangeError(`document ${doc} is not in the index`);
	return { segment: file.segment, local: doc - file.segment.base };
}
