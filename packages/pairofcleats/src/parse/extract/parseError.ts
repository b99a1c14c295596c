import type { Diagnostic } from "../chunk.ts";
import { squeeze } from "../tree/nodeText.ts";

/** What the grammar made nothing of, as a diagnostic. */
export function parseError(line: number, text: string): Diagnostic {
	return { line, rule: "parse-error", message: `cannot be read as this language: ${squeeze(text, 60)}` };
}
