import type { Diagnostic } from "../chunk.ts";
import { squeeze } from "../tree/nodeText.ts";

/** A diagnostic for text that the grammar could not parse. */
export function parseError(line: number, text: string): Diagnostic {
	return { line, rule: "parse-error", message: `cannot be read as this language: ${squeeze(text, 60)}` };
}
