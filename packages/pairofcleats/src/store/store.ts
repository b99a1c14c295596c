import type { FileDetails, SegmentWriter } from "../segment/indexedFile.ts";
import type { StoredTerm } from "../segment/termBlocks.ts";
import type { TrigramList } from "../segment/trigrams.ts";
import type { SegmentVectors } from "../vectors/vectorLog.ts";
import type { HeldFile } from "./indexFolder.ts";
import type { SegmentCache, SegmentParts } from "./segmentCache.ts";

/**
 * The interface between the engine and the store. An index is a set of immutable segments, each with a list of dead
 * files. A reader sees one generation at a time, and each change as a whole.
 */
export type IndexReader = {
	/** Increases with every published change. */
	generation(): number;
	meta(key: MetaKey): string | undefined;
	segments(): StoredSegment[];
	postings(segment: number, term: string): { readonly count: number; readonly bytes: Uint8Array } | undefined;
	/** Terms in [from, to) of a segment, in order. */
	terms(segment: number, from: string, to: string): Iterable<StoredTerm>;
	/** Terms from `from` on that begin or end with a text. Can include a few before `from`. */
	termsAround(segment: number, text: string, from: string): Iterable<StoredTerm>;
	/** The positions of a segment's files that contain a trigram, and all such lists in ascending order. */
	trigram(segment: number, trigram: number): Uint16Array | undefined;
	trigrams(segment: number): Iterable<TrigramList>;
	text(segment: number, ordinal: number): string | undefined;
	/** The text as UTF-8. */
	textBytes(segment: number, ordinal: number): Buffer | undefined;
	details(segment: number, ordinal: number): FileDetails | undefined;
	/** The details as stored. */
	detailsBytes(segment: number, ordinal: number): Buffer | undefined;
	vectors(segment: number): SegmentVectors | undefined;
	/** The model of a segment's vectors; `undefined` without any. */
	vectorModel(segment: number): string | undefined;
	stats(): Iterable<FileStat>;
	lint(path: string): LintRow[];
	lintPaths(): string[];
	/** Runs a synchronous function on one consistent view. */
	read<Value>(body: () => Value): Value;
	/** Keeps to the generation that is read next until it is closed, whatever is published meanwhile. */
	stay(): void;
	/** The segments decoded so far, to share with a writer of the same index. */
	readonly segmentCache: SegmentCache;
	close(): void;
};

export type StoredSegment = SegmentParts & {
	/** Positions of files that were replaced or removed. */
	readonly dead: readonly number[];
};

/** The only writer of an index. */
export type IndexWriter = {
	readonly reader: IndexReader;
	/** The file it writes. Each thread of a build opens a writer on it. */
	readonly file: HeldFile;
	segment(): SegmentWriter;
	/** Segments that an interrupted build wrote but did not publish. */
	pending(): StoredSegment[];
	/** Makes pending segments live, marks files dead, and records stats and metadata, all in one transaction. */
	publish(change: Change): void;
	discard(segments: readonly number[]): void;
	/** Checkpoints the write-ahead log into the index file. Small changes leave that to a later one. */
	settle(): void;
	close(): void;
};

export type Change = {
	readonly publish: readonly number[];
	/** New lists of dead positions, by segment. */
	readonly dead: ReadonlyMap<number, readonly number[]>;
	/** Segments without live files. */
	readonly drop: readonly number[];
	readonly stats: readonly FileStat[];
	readonly forget: readonly string[];
	/** Files whose text changed. */
	readonly edited?: readonly string[];
	readonly meta: Readonly<Partial<Record<MetaKey, string>>>;
};

const META_KEYS = [
	"version",
	"builtAt",
	"updatedAt",
	"source",
	"branch",
	"head",
	"model",
	"git",
	"submodules",
	"historyMark",
	"historyFault",
	"options",
	"riskRules",
] as const;
export type MetaKey = (typeof META_KEYS)[number];

export type FileStat = {
	readonly path: string;
	readonly bytes: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly inode: number;
	/** `indexed`, or why the file is not. */
	readonly state: string;
};

export type LintRow = {
	readonly path: string;
	readonly line: number;
	readonly rule: string;
	readonly message: string;
	readonly source: string;
};

/** Thrown when the index changed or was replaced while a search was under way; the caller searches the new one. */
export class GenerationChanged extends Error {}
