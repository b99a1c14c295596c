import type { RiskRules } from "../risk/rules.ts";
import type { ParsedFile } from "./chunk.ts";
import { chunkLines } from "./chunkLines.ts";
import { detectLanguage } from "./detectLanguage.ts";
import { parseFormat } from "./parseFormat.ts";
import { parseGrammar } from "./parseGrammar.ts";

/** Parses one file's text; never throws for what the text contains, and ends in bounded time. */
export type ParseFile = (path: string, text: string) => Promise<ParsedFile>;

export type ParseOptions = {
	/** In place of the built-in ones; see `readRiskRules`. */
	readonly riskRules?: RiskRules;
};

/** Works alike in the main thread, a worker thread and a child process; grammars load on first use in each. */
export async function parseFile(path: string, text: string, options: ParseOptions = {}): Promise<ParsedFile> {
	const { id, parser } = detectLanguage(path, text);
	if (parser && "format" in parser) return parseFormat(parser.format, id, text);
	const parsed = parser && (await parseGrammar(parser.grammar, id, text, options.riskRules));
	return parsed ?? parseLines(id, text);
}

function parseLines(language: string, text: string): ParsedFile {
	return { language, imports: [], exports: [], chunks: chunkLines(text), prose: [], parseErrors: [], method: "lines" };
}
