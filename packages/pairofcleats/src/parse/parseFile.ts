import type { ParsedFile } from "./chunk.ts";
import { chunkLines } from "./chunkLines.ts";
import { detectLanguage } from "./detectLanguage.ts";
import type { RiskRules } from "./risk/rules/rules.ts";

export type ParseOptions = {
	/** Replaces the built-in rules; see `readRiskRules`. */
	readonly riskRules?: RiskRules;
};

/** Loaded on first use: a search that parses nothing need not wait for parsers. */
let grammars: Promise<typeof import("./parseGrammar.ts")> | undefined;
let components: Promise<typeof import("./parseComponent.ts")> | undefined;
let formats: Promise<typeof import("./parseFormat.ts")> | undefined;

/**
 * Parses one file's text; never throws for what the text contains, and ends in bounded time. Works in the main thread, a
 * worker thread and a child process; each loads grammars on first use.
 */
export async function parseFile(path: string, text: string, options: ParseOptions = {}): Promise<ParsedFile> {
	const { id, parser } = detectLanguage(path, text);
	if (!parser) return parseLines(id, text);
	if ("format" in parser) {
		formats ??= import("./parseFormat.ts");
		return (await formats).parseFormat(parser.format, id, text);
	}
	if ("component" in parser) {
		components ??= import("./parseComponent.ts");
		return (await components).parseComponent(parser.component, path, text, options.riskRules);
	}
	grammars ??= import("./parseGrammar.ts");
	return (await (await grammars).parseGrammar(parser.grammar, id, text, options.riskRules)) ?? parseLines(id, text);
}

/** Cuts a text that no parser reads into blocks of lines. */
export function parseLines(language: string, text: string): ParsedFile {
	return { language, imports: [], exports: [], chunks: chunkLines(text), prose: [], parseErrors: [], method: "lines" };
}
