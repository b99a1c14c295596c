import type { SegmentVectors } from "../vectors/vectorLog.ts";
import type { FileRow } from "./fileBlocks.ts";
import type { FileEntry } from "./indexedFile.ts";

/** Methods are called in this order. Readers see nothing until the segment is published. */
export type SegmentWriter = {
	begin(head: SegmentHead): void;
	/** In ascending order of the row's first file. */
	texts(row: FileRow): void;
	details(row: FileRow): void;
	/** In ascending order of the term's UTF-8 bytes. */
	term(term: string, count: number, postings: Uint8Array): void;
	/** In ascending order. */
	trigram(trigram: number, files: ArrayLike<number>): void;
	end(): number;
};

export type SegmentHead = {
	readonly docs: number;
	readonly columns: Uint8Array;
	/** Blocks of a `StringLog`, with one string per document. */
	readonly names: Uint8Array;
	readonly qualifiedNames: Uint8Array;
	readonly signatures: Uint8Array;
	readonly files: readonly FileEntry[];
	readonly vectors?: SegmentVectors;
};
