import type { LineIndex } from "../lineIndex.ts";
import { unquote } from "../tree/nodeText.ts";

export type YamlKey = { readonly line: number; readonly name: string };

/** A longer key is not worth a name. */
const LONGEST_KEY = 200;
/** What no plain key begins with: marks of the language, and blanks, which everything below the first level has. */
const NO_KEY = /^(?:[\s#&*!|>%@`[\]{},]|[-?:](?:\s|$))/;
const QUOTED = /^(?:"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\n]|''){0,200}')(?=\s*:(?:\s|$))/;

/**
 * Keys of a YAML text's outermost mappings, line by line: whatever belongs to such a key is further to the right, be it
 * a block, a quoted text or a list. A mapping in braces has none here.
 */
export function yamlKeys(lines: LineIndex): YamlKey[] {
	const keys: YamlKey[] = [];
	for (let line = 1; line <= lines.count; line += 1) {
		const code = lines.text.charCodeAt(lines.startOf(line));
		if (code <= 35 && code !== 34) continue;
		const name = keyOf(lines.text.slice(lines.startOf(line), lines.startOf(line) + 2 * LONGEST_KEY));
		if (name !== undefined) keys.push({ line, name });
	}
	return keys;
}

function keyOf(start: string): string | undefined {
	const [text = ""] = start.split("\n", 1);
	if (NO_KEY.test(text)) return undefined;
	if (/^["']/.test(text)) {
		const quoted = QUOTED.exec(text)?.[0];
		return quoted === undefined ? undefined : unquote(quoted);
	}
	const end = text.search(/:(?:\s|$)| #/);
	return end <= 0 || end > LONGEST_KEY || text[end] !== ":" ? undefined : text.slice(0, end).trimEnd();
}
