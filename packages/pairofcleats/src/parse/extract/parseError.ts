import type { Diagnostic } from "../chunk.ts";
import { squeeze } from "../tree/nodeText.ts";

/** A diagnostic for text that the grammar could not parse. */
export function parseError(line: number, text: string): Diagnostic {
	return { line, rule: "parse-error", message: `unknown to the parser, or a mistake: ${squeeze(text, 60)}` };
}
