import type { LineIndex } from "../lineIndex.ts";
import { unquote } from "../tree/nodeText.ts";

export type YamlKey = { readonly line: number; readonly name: string };

/** Longer keys are ignored. */
const LONGEST_KEY = 200;
/**
 * Prefixes that no top-level plain key can have: YAML indicators, and whitespace, because nested lines are indented.
 */
const NO_KEY = /^(?:[\s#&*!|>%@`[\]{},]|[-?:](?:\s|$))/;
const QUOTED = /^(?:"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\n]|''){0,200}')(?=\s*:(?:\s|$))/;

/**
 * Keys of a YAML text's top-level mappings, found line by line: everything nested under such a key is indented. Flow
 * mappings (`{ … }`) are not covered.
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
