import type { LineIndex } from "../chunkLines.ts";
import { stripQuotes } from "../tree/nodeText.ts";

type TomlKey = { readonly line: number; readonly name: string };

const HEADER = /^\s*\[\[?\s*([^[\]\n]{1,200}?)\s*\]\]?/;
const KEY = /^\s*([\w."'-]{1,100})\s*=/;
/** A header that cannot be an array value: wherever it occurs, any bracket still open before it was never closed. */
const SURE_HEADER = /^\[\[?[ \t]*(?!true\b|false\b)[A-Za-z_][\w.-]*[ \t]*\]\]?\s*(?:#|$)/;
/**
 * An unterminated string matches to the end of its line; otherwise every quote in it would start another scan
 * (quadratic time).
 */
const MARKS = /"""|'''|"(?:[^"\\\n]|\\.)*(?:"|\\?$)|'[^'\n]*(?:'|$)|#|[[\]{}]/g;

/**
 * Finds table headers, and the keys before the first header; skips lines inside multi-line strings, arrays and inline
 * tables.
 */
export function listTomlKeys(lines: LineIndex): TomlKey[] {
	const keys: TomlKey[] = [];
	let open: Open = { quote: "", depth: 0 };
	let inTable = false;
	for (let line = 1; line <= lines.count; line += 1) {
		const text = lines.lineText(line);
		if (open.depth > 0 && open.quote === "" && SURE_HEADER.test(text)) open = { quote: "", depth: 0 };
		const free = open.quote === "" && open.depth === 0;
		const header = free ? HEADER.exec(text)?.[1] : undefined;
		const key = free && !inTable ? KEY.exec(text)?.[1] : undefined;
		const name = header ?? key;
		if (name !== undefined) keys.push({ line, name: name.replace(/["']/g, "") });
		if (header !== undefined) inTable = true;
		else open = after(text, open);
	}
	return keys;
}

/** What is still open at the end of a line: a multi-line string, or nested brackets and braces. */
type Open = { readonly quote: string; readonly depth: number };

function after(text: string, before: Open): Open {
	let { quote, depth } = before;
	for (let at = 0; at < text.length; ) {
		const marks = quote === "" ? MARKS : quote === '"""' ? /\\.|"""/g : /'''/g;
		marks.lastIndex = at;
		const mark = marks.exec(text)?.[0];
		if (mark === undefined || mark === "#") break;
		at = marks.lastIndex;
		if (mark === quote) quote = "";
		else if (quote !== "") continue;
		else if (mark === '"""' || mark === "'''") quote = mark;
		else if (mark === "[" || mark === "{") depth += 1;
		else if (mark === "]" || mark === "}") depth = Math.max(0, depth - 1);
	}
	return { quote, depth };
}

type YamlKey = { readonly line: number; readonly name: string };

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
export function listYamlKeys(lines: LineIndex): YamlKey[] {
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
		return quoted === undefined ? undefined : stripQuotes(quoted);
	}
	const end = text.search(/:(?:\s|$)| #/);
	return end <= 0 || end > LONGEST_KEY || text[end] !== ":" ? undefined : text.slice(0, end).trimEnd();
}
