import type { ParsedFile } from "./chunk.ts";
import { chunkLines } from "./chunkLines.ts";

/** Cuts a text that no parser reads into blocks of lines. */
export function parseLines(language: string, text: string): ParsedFile {
	return { language, imports: [], exports: [], chunks: chunkLines(text), prose: [], parseErrors: [], method: "lines" };
}
