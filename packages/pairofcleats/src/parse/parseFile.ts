import type { ParsedFile } from "./chunk.ts";
import { chunkLines } from "./chunkLines.ts";
import { detectLanguage } from "./detectLanguage.ts";

/** Parses one file's text; never throws for what the text contains, and ends in bounded time. */
export type ParseFile = (path: string, text: string) => Promise<ParsedFile>;

export async function parseFile(path: string, text: string): Promise<ParsedFile> {
	const language = detectLanguage(path, text);
	return parseLines(language.id, text);
}

function parseLines(language: string, text: string): ParsedFile {
	return { language, imports: [], exports: [], chunks: chunkLines(text), prose: [], parseErrors: [], method: "lines" };
}
