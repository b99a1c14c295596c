import type { Chunk, Diagnostic, ParsedFile, ProseChunk } from "./chunk.ts";
import { chunkLines, LineIndex } from "./chunkLines.ts";
import { chunkJson, chunkRecords, chunkToml, chunkYaml } from "./formats/data.ts";
import { chunkMarkdown } from "./formats/markdown.ts";
import { chunkSql } from "./formats/sql.ts";
import type { FormatName } from "./languages.ts";

/** Parses a text whose format has an ordinary parser instead of a grammar. */
export function parseFormat(format: FormatName, language: string, text: string): ParsedFile {
	const lines = new LineIndex(text);
	const { chunks, errors = [], prose = [] } = chunksOf(format, lines);
	return { language, imports: [], exports: [], chunks, prose, parseErrors: errors, method: "format" };
}

function chunksOf(
	format: FormatName,
	lines: LineIndex,
): { chunks: readonly Chunk[]; errors?: readonly Diagnostic[]; prose?: readonly ProseChunk[] } {
	switch (format) {
		case "json":
			return chunkJson(lines);
		case "jsonl":
			return chunkRecords(lines);
		case "yaml":
			return chunkYaml(lines);
		case "toml":
			return chunkToml(lines);
		case "markdown":
			return { chunks: chunkMarkdown(lines) };
		case "sql":
			return chunkSql(lines);
		case "text":
			return { chunks: chunkLines(lines.text) };
	}
}
