import { type PathWords, pathWords } from "../rank/pathMatch.ts";
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
	readonly files: readonly SnapshotFile[];
	/** Mode, length and kind of each document, through all segments. */
	readonly modeOf: Uint8Array;
	readonly lengthOf: Uint16Array;
	/** Live documents and their summed length, by mode. */
	readonly sums: readonly {
		readonly docs: number;
		readonly length: number;
		readonly files: number;
		readonly fileLength: number;
	}[];
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
	/** Words in all its chunks. */
	readonly length: number;
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
			columns: unpackColumns(stored.columns, stored.docs),
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
	const files: SnapshotFile[] = [];
	const sums = MODES.map(() => ({ docs: 0, length: 0, files: 0, fileLength: 0 }));
	for (const segment of segments) {
		modeOf.set(segment.columns.mode, segment.base);
		lengthOf.set(segment.columns.length, segment.base);
		for (const [ordinal, entry] of segment.files.entries()) {
			const live = !segment.dead.has(ordinal);
			const first = segment.base + entry.firstDoc;
			const last = first + entry.docs;
			fileOf.fill(files.length, first, last);
			if (live) alive.fill(1, first, last);
			let length = 0;
			for (let doc = first; doc < last; doc++) {
				const words = lengthOf[doc] ?? 0;
				if (modeOf[doc] !== 2) length += words;
				const sum = live ? sums[modeOf[doc] ?? 0] : undefined;
				if (sum) {
					sum.docs += 1;
					sum.length += words;
				}
			}
			const sum = live ? sums[MODES.indexOf(entry.mode)] : undefined;
			if (sum) {
				sum.files += 1;
				sum.fileLength += length;
			}
			let words: PathWords | undefined;
			const pathWordsOnce = (): PathWords => {
				words ??= pathWords(entry.path);
				return words;
			};
			files.push({ ...entry, segment, ordinal, first, alive: live, length, pathWords: pathWordsOnce });
		}
	}
	return { generation: reader.generation(), segments, docs, alive, fileOf, files, modeOf, lengthOf, sums };
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
