import { positionAt } from "./locate.ts";
import { syntaxErrorAt } from "./syntaxErrorAt.ts";

/** Says why a text is not JSON, for the person who has to mend the file. */
export function syntaxProblem(text: string): string {
	if (text.startsWith("\ufeff")) return "begins with a byte order mark";
	const { line, column } = positionAt(text, syntaxErrorAt(text));
	return `not valid JSON: line ${line} column ${column}`;
}
