import type { FileDetails } from "../segment/indexedFile.ts";
import type { SegmentWriter } from "../segment/segmentWriter.ts";
import type { StoredTerm } from "../segment/termBlocks.ts";
import type { TrigramList } from "../segment/trigramBlocks.ts";
import type { SegmentVectors } from "../vectors/vectorLog.ts";
import type { SegmentCache, SegmentParts } from "./segmentCache.ts";

/**
 * The seam between the engine and where an index is kept. An index is a set of immutable segments plus, for each, the
 * files in it that are dead; a reader holds one generation at a time and sees a change only as a whole.
 */
export type IndexReader = {
	/** Changes with every published change. */
	generation(): number;
	meta(key: MetaKey): string | undefined;
	segments(): StoredSegment[];
	postings(segment: number, term: string): { readonly count: number; readonly bytes: Uint8Array } | undefined;
	/** Terms in [from, to) of a segment, in order. */
	terms(segment: number, from: string, to: string): Iterable<StoredTerm>;
	/** Those from `from` on that begin or end with a text, and some before. */
	termsAround(segment: number, text: string, from: string): Iterable<StoredTerm>;
	/** Positions of the files of a segment that have a trigram, and all such lists by rising trigram. */
	trigram(segment: number, trigram: number): Uint16Array | undefined;
	trigrams(segment: number): Iterable<TrigramList>;
	text(segment: number, ordinal: number): string | undefined;
	/** The same as UTF-8. */
	textBytes(segment: number, ordinal: number): Buffer | undefined;
	details(segment: number, ordinal: number): FileDetails | undefined;
	/** The same as it is stored. */
	detailsBytes(segment: number, ordinal: number): Buffer | undefined;
	vectors(segment: number): SegmentVectors | undefined;
	stats(): Iterable<FileStat>;
	lint(path: string): LintRow[];
	lintPaths(): string[];
	/** Runs a synchronous read in which nothing changes. */
	read<Value>(body: () => Value): Value;
	/** What it has read of segments, to share with a writer of the same index. */
	readonly segmentCache: SegmentCache;
	close(): void;
};

export type StoredSegment = SegmentParts & {
	/** Positions of files that were replaced or removed. */
	readonly dead: readonly number[];
};

/** The one writer of an index. */
export type IndexWriter = {
	readonly reader: IndexReader;
	/** Where it writes: threads of one build each open a writer there. */
	readonly file: string;
	segment(): SegmentWriter;
	/** Segments that were written and never published: what an interrupted build left. */
	pending(): StoredSegment[];
	/** Makes pending segments live, marks files dead, and records stats and meta, all at once. */
	publish(change: Change): void;
	discard(segments: readonly number[]): void;
	/** Folds the log of changes into the index itself; a small change leaves that to a later one. */
	settle(): void;
	close(): void;
};

export type Change = {
	readonly publish: readonly number[];
	/** New lists of dead positions, by segment. */
	readonly dead: ReadonlyMap<number, readonly number[]>;
	/** Segments of which nothing is left. */
	readonly drop: readonly number[];
	readonly stats: readonly FileStat[];
	readonly forget: readonly string[];
	/** Files whose text is another one. */
	readonly edited?: readonly string[];
	readonly meta: Readonly<Partial<Record<MetaKey, string>>>;
};

export const META_KEYS = [
	"version",
	"builtAt",
	"updatedAt",
	"branch",
	"head",
	"model",
	"git",
	"submodules",
	"options",
	"riskRules",
] as const;
export type MetaKey = (typeof META_KEYS)[number];

export type FileStat = {
	readonly path: string;
	readonly bytes: number;
	readonly mtimeMs: number;
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
