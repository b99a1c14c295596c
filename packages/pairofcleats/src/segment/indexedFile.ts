import type { FileRole } from "../discover/classifyPath.ts";
import type { ParsedFile } from "../parse/chunk.ts";
import { findDocumentFormat } from "../parse/documents/extractDocument.ts";
import type { SegmentVectors } from "../vectors/vectorLog.ts";
import type { Mode } from "./columns.ts";
import type { FileRow } from "./fileBlocks.ts";
import type { PackedFacts, PackedFunction, PackedName } from "./packedFacts.ts";

/** One parsed file to add to a segment. */
export type IndexedFile = {
	readonly path: string;
	readonly mode: Mode;
	readonly role: FileRole;
	readonly text: string;
	/** The text as UTF-8, as it is stored. */
	readonly utf8: Uint8Array;
	/** Hash of the decoded text. */
	readonly hash: string;
	readonly bytes: number;
	readonly parsed: ParsedFile;
	/** The authors of each chunk's lines, then of each comment's, if blame was requested. */
	readonly authors?: readonly (readonly string[])[];
};

/** The data about a file that stays in memory while the index is open. */
export type FileEntry = {
	readonly path: string;
	readonly language: string;
	readonly mode: Mode;
	readonly role: FileRole;
	readonly hash: string;
	readonly bytes: number;
	readonly method: ParsedFile["method"];
	readonly parseErrors: number;
	/** The file's first chunk, and its number of chunks. */
	readonly firstDoc: number;
	readonly docs: number;
};

/** The data about a file that stays on disk and is read only for hits. */
export type FileDetails = {
	readonly imports: readonly string[];
	readonly parseErrors: ParsedFile["parseErrors"];
	/** Facts by position among the file's chunks. */
	readonly chunks: readonly (PackedFacts | null)[];
	/** The functions that have no chunk of their own; absent if there are none. */
	readonly functions?: readonly PackedFunction[];
	/** The other names that have no chunk of their own; absent if there are none. */
	readonly names?: readonly PackedName[];
};

const PROSE_EXTENSION = /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|textile|wiki|rdoc|pod)$/i;
const PROSE_NAME =
	/(?:^|\/)(?:readme|license|licence|copying|changelog|changes|authors|contributing|notice|news|todo)[^/.]*$/i;
const RECORD_EXTENSION = /\.(?:jsonl|ndjson)$/i;

export function findModeOfPath(path: string): Mode {
	if (RECORD_EXTENSION.test(path)) return "records";
	if (findDocumentFormat(path) !== undefined) return "extracted-prose";
	return PROSE_EXTENSION.test(path) || PROSE_NAME.test(path) ? "prose" : "code";
}

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
