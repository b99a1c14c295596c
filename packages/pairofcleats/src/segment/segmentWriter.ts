import type { SegmentVectors } from "../vectors/vectorLog.ts";
import type { FileRow } from "./fileBlocks.ts";
import type { FileEntry } from "./indexedFile.ts";

/** Written in this order; nothing of it is seen before the segment is published. */
export type SegmentWriter = {
	begin(head: SegmentHead): void;
	/** By the rising number of the first file in them. */
	texts(row: FileRow): void;
	details(row: FileRow): void;
	/** By rising UTF-8 bytes of the term. */
	term(term: string, count: number, postings: Uint8Array): void;
	/** By rising trigram. */
	trigram(trigram: number, files: ArrayLike<number>): void;
	end(): number;
};

export type SegmentHead = {
	readonly docs: number;
	readonly columns: Uint8Array;
	/** Blocks of a `StringLog`, a string for each document. */
	readonly names: Uint8Array;
	readonly qualifiedNames: Uint8Array;
	readonly signatures: Uint8Array;
	readonly files: readonly FileEntry[];
	readonly vectors?: SegmentVectors;
};
