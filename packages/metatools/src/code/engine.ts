export type { CodeEngine, CodeRequest, CodeResult, CodeToolCall, CodeTools } from "../contract/codeEngine.ts";

export const codeLanguages = ["javascript", "typescript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

const SHORT_NAMES: ReadonlyMap<string, CodeLanguage> = new Map([
	["js", "javascript"],
	["ts", "typescript"],
]);

/** Recognises the language that a caller names; undefined if it is not supported. */
export function codeLanguageOf(name: string): CodeLanguage | undefined {
	const lower = name.toLowerCase();
	return SHORT_NAMES.get(lower) ?? codeLanguages.find((language) => language === lower);
}
