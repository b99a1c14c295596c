import type { Diagnostic } from "../chunk.ts";
import { shortenText } from "../tree/nodeText.ts";

/** A file may report this many of each kind. */
export const MOST_ERRORS = 20;

/** A diagnostic for text that the grammar could not parse. */
export function parseError(line: number, text: string): Diagnostic {
	return { line, rule: "parse-error", message: `unknown to the parser, or a mistake: ${shortenText(text, 60)}` };
}
