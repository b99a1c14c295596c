import { PathTable, type PathWords } from "../rank/pathMatch.ts";
import { type Columns, MODES, type Mode, unpackColumns } from "./columns.ts";
import type { FileEntry } from "./indexedFile.ts";
import type { IndexReader } from "./store.ts";
import type { StringTable } from "./stringTable.ts";

/** One generation of an index as a search sees it. Documents are numbered through all segments. */
export type Snapshot = {
	readonly generation: number;
	readonly segments: readonly LiveSegment[];
	/** Documents in all segments, dead ones included. */
	readonly docs: number;
	/** 1 where a document is live. */
	readonly alive: Uint8Array;
	/** Number of the file of each document, through all segments. */
	readonly fileOf: Uint32Array;
	/** Number of the first document of each file, and of the end of the last. */
	readonly firstOf: Uint32Array;
	readonly files: readonly SnapshotFile[];
	/** What the numbers in the files' path words stand for. */
	readonly paths: PathTable;
	/** Mode, length and kind of each document, through all segments. */
	readonly modeOf: Uint8Array;
	readonly lengthOf: Uint16Array;
	/** Live documents, their summed length and the files they are in, by mode. */
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

export type SnapshotFile = FileEntry & {
	readonly segment: LiveSegment;
	readonly ordinal: number;
	/** Of the live ones: the number of their first document. */
	readonly first: number;
	readonly alive: boolean;
	/** Words in its chunks, and in what was extracted from it as prose of its own. */
	readonly length: number;
	readonly extracted: number;
	/** Made when first asked for. */
	pathWords(): PathWords;
};

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
		for (const [ordinal, entry] of segment.files.entries()) {
			const live = !segment.dead.has(ordinal);
			const first = segment.base + entry.firstDoc;
			const last = first + entry.docs;
			fileOf.fill(files.length, first, last);
			firstOf[files.length] = first;
			if (live) alive.fill(1, first, last);
			const byMode = sumWords(entry, segment.columns);
			for (const [mode, { docs: count, words: total }] of byMode.entries()) {
				const sum = live && count > 0 ? sums[mode] : undefined;
				if (!sum) continue;
				sum.docs += count;
				sum.length += total;
				sum.files += 1;
			}
			const extracted = byMode[EXTRACTED]?.words ?? 0;
			const length = byMode.reduce((sum, { words: total }) => sum + total, 0) - extracted;
			let words: PathWords | undefined;
			const pathWordsOnce = (): PathWords => {
				words ??= paths.read(entry.path);
				return words;
			};
			files.push({ ...entry, segment, ordinal, first, alive: live, length, extracted, pathWords: pathWordsOnce });
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

type ModeSums = readonly { readonly docs: number; readonly words: number }[];

/** A file's entry outlives a snapshot, and its chunks never change. */
const SUMS = new WeakMap<FileEntry, ModeSums>();

function sumWords(entry: FileEntry, { mode, length }: Columns): ModeSums {
	const known = SUMS.get(entry);
	if (known) return known;
	const byMode = MODES.map(() => ({ docs: 0, words: 0 }));
	for (let doc = entry.firstDoc; doc < entry.firstDoc + entry.docs; doc++) {
		const sum = byMode[mode[doc] ?? 0];
		if (!sum) continue;
		sum.docs += 1;
		sum.words += length[doc] ?? 0;
	}
	SUMS.set(entry, byMode);
	return byMode;
}

/** Which modes a search covers. Comments are in their code already, so they are a list of their own only when asked. */
export function modesOf(mode: string): ReadonlySet<Mode> {
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

/** Where a document of the whole index lies: its segment and its number there. */
export function locate(snapshot: Snapshot, doc: number): { segment: LiveSegment; local: number } {
	const file = snapshot.files[snapshot.fileOf[doc] ?? 0];
	if (!file) throw new RangeError(`document ${doc} is not in the index`);
	return { segment: file.segment, local: doc - file.segment.base };
}
