export type { CodeEngine, CodeRequest, CodeResult, CodeToolCall, CodeTools } from "../contract/codeEngine.ts";

export const codeLanguages = ["javascript", "typescript"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

export function isCodeLanguage(value: string): value is CodeLanguage {
	return codeLanguages.some((language) => language === value);
}
