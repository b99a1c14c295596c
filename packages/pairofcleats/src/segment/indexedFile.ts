import type { FileRole } from "../discover/classifyPath.ts";
import type { ParsedFile } from "../parse/chunk.ts";
import { documentFormat } from "../parse/documents/extractDocument.ts";
import type { Mode } from "./columns.ts";
import type { PackedFacts } from "./packedFacts.ts";

/** One file on its way into a segment. */
export type IndexedFile = {
	readonly path: string;
	readonly mode: Mode;
	readonly role: FileRole;
	readonly text: string;
	/** The same as it is stored. */
	readonly utf8: Uint8Array;
	/** Of the file's decoded text. */
	readonly hash: string;
	readonly bytes: number;
	readonly parsed: ParsedFile;
	/** Who wrote the lines of each chunk and then of each comment, when blame was asked for. */
	readonly authors?: readonly (readonly string[])[];
};

/** What a segment keeps of a file, in memory while the index is open. */
export type FileEntry = {
	readonly path: string;
	readonly language: string;
	readonly mode: Mode;
	readonly role: FileRole;
	readonly hash: string;
	readonly bytes: number;
	readonly method: ParsedFile["method"];
	readonly parseErrors: number;
	/** First chunk of the file, and how many it has. */
	readonly firstDoc: number;
	readonly docs: number;
};

/** What a segment keeps of a file on disk only, read for the hits that are shown. */
export type FileDetails = {
	readonly imports: readonly string[];
	readonly exports: readonly string[];
	readonly parseErrors: ParsedFile["parseErrors"];
	/** Facts by position among the file's chunks. */
	readonly chunks: readonly (PackedFacts | null)[];
};

const PROSE_EXTENSION = /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|textile|wiki|rdoc|pod)$/i;
const PROSE_NAME =
	/(?:^|\/)(?:readme|license|licence|copying|changelog|changes|authors|contributing|notice|news|todo)[^/.]*$/i;
const RECORD_EXTENSION = /\.(?:jsonl|ndjson)$/i;

export function modeOfPath(path: string): Mode {
	if (RECORD_EXTENSION.test(path)) return "records";
	if (documentFormat(path) !== undefined) return "extracted-prose";
	return PROSE_EXTENSION.test(path) || PROSE_NAME.test(path) ? "prose" : "code";
}
