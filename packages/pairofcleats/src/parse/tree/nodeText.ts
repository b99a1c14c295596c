import type { FlatTree } from "./flatTree.ts";

/** A node's source text. */
export function readNodeText(tree: FlatTree, node: number): string {
	return tree.text.slice(tree.start[node], tree.end[node]);
}

/** A part of the file, with what the grammar was not shown right before and after it on its line. */
export function readWrittenText({ text, written }: FlatTree, start: number, end: number): string {
	if (written === undefined) return text.slice(start, end);
	let from = start;
	while (isSpace(text.charCodeAt(from - 1))) from -= 1;
	let to = end;
	while (isSpace(text.charCodeAt(to))) to += 1;
	return written.slice(from, to).trim();
}

function isSpace(code: number): boolean {
	return code === 32 || code === 9;
}

export function shortenText(text: string, limit: number): string {
	const short = text.length > limit * 4 ? text.slice(0, limit * 4) : text;
	const flat = short.replace(/\s+/g, " ").trim();
	return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}

/** Strips the quotes of a string literal, and its prefix letters as in `rb"…"`. */
export function stripQuotes(text: string): string {
	const match = /^(?:[a-zA-Z]{0,2})(["'`])([\s\S]*)["'`]$/.exec(text.trim());
	return match?.[2] ?? text.trim();
}

/**
 * Allows all letters beyond ASCII. The `?` of `?.` is matched only as part of the name, because two ways to match it
 * would backtrack exponentially.
 */
const CHAIN = /^[\w$@#?!&*\u00aa-\uffff]+(?:(?:::|->|[.:\\])[\w$@#?!\u00aa-\uffff]+)*$/;

/** Normalises a chain of names: `a?.b`, `a?->b` and `a&.b` → `a.b`, `a::b` unchanged; `undefined` if the text is anything else. */
export function normaliseChain(text: string): string | undefined {
	if (text.length > 160) return undefined;
	if (isPlainChain(text)) return text;
	const flat = /\s/.test(text) ? text.replace(/\s*(\??\.|->|::)\s*/g, "$1") : text;
	return CHAIN.test(flat) ? flat.replace(/(?:[?!]+|&)(?:\.|->)|->/g, ".") : undefined;
}

/** Fast path for almost all callees: names separated by single dots. */
export function isPlainChain(text: string): boolean {
	let afterName = false;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		if (isNameCode(code)) afterName = true;
		else if (code === 46 && afterName) afterName = false;
		else return false;
	}
	return afterName;
}

/** The last name of a callee or reference: `save` of `this.db[0].save`. */
export function findLastName(text: string): string {
	return findLastNameBefore(text, 0, text.length);
}

/**
 * The name that ends at `end`, ignoring whitespace, type arguments and a trailing `!` or `?`; empty if there is none.
 * The `#` of JavaScript's private names belongs to the name.
 */
export function findLastNameBefore(text: string, start: number, end: number): string {
	let to = skipBlanks(text, start, end);
	if (text.charCodeAt(to - 1) === 62) {
		const open = openingBefore(text, start, to);
		if (open <= start || text.slice(open, to).includes("(")) return "";
		to = skipBlanks(text, start, open);
	}
	const last = text.charCodeAt(to - 1);
	const marked = last === 33 || last === 63;
	let from = marked ? to - 1 : to;
	while (from > start && isNameCode(text.charCodeAt(from - 1))) from -= 1;
	if (from === (marked ? to - 1 : to)) return "";
	const isPrivate = from - 1 > start && text.charCodeAt(from - 1) === 35 && text.charCodeAt(from - 2) === 46;
	return text.slice(isPrivate ? from - 1 : from, to);
}

/** The `<` that matches the `>` before `end`; -1 if there is none. */
function openingBefore(text: string, start: number, end: number): number {
	let depth = 0;
	for (let at = end - 1; at >= start; at -= 1) {
		const code = text.charCodeAt(at);
		if (code === 62) depth += 1;
		else if (code === 60) depth -= 1;
		if (depth === 0) return at;
	}
	return -1;
}

function skipBlanks(text: string, start: number, end: number): number {
	let to = end;
	while (to > start && text.charCodeAt(to - 1) <= 32) to -= 1;
	return to;
}

const FIRST_LETTER_BEYOND_ASCII = 0xaa;

function isNameCode(code: number): boolean {
	return (
		(code >= 97 && code <= 122) ||
		(code >= 65 && code <= 90) ||
		(code >= 48 && code <= 57) ||
		code === 95 ||
		code === 36 ||
		code >= FIRST_LETTER_BEYOND_ASCII
	);
}

/** `db.find(id).first()` → `db.find.first`. */
export function dropArguments(text: string): string {
	return outside(text, "(", ")");
}

/** `Map<K, V>::Entry<V>` → `Map::Entry`. */
export function dropTypeArguments(text: string): string {
	return outside(text, "<", ">").trim();
}

/** The text outside all pairs of brackets. */
function outside(text: string, opening: string, closing: string): string {
	let depth = 0;
	let bare = "";
	for (const char of text) {
		if (char === opening) depth += 1;
		if (depth === 0) bare += char;
		if (char === closing && depth > 0) depth -= 1;
	}
	return bare;
}

/** The assignable place an expression denotes, without index values: `a.b[i].c` → `a.b[].c`; empty if it is not one. */
export function describePlace(written: string): string {
	if (written.length > 400) return "";
	if (isPlainChain(written)) return written;
	const text = written.includes("(") ? withoutCasts(written.trim()) : written;
	let depth = 0;
	let place = "";
	let gap = false;
	for (const char of text) {
		if (char === "[") depth += 1;
		if (depth === 0 && /\S/.test(char)) {
			// Two words, such as `await a` or `new A`, are not a place.
			if (gap && NAME_CHARACTER.test(char) && NAME_CHARACTER.test(place.at(-1) ?? "")) return "";
			place += char;
		}
		gap = depth === 0 && /\s/.test(char);
		if (char === "]" && --depth === 0) place += "[]";
	}
	place = place
		.replace(/[?!]+\.|->/g, ".")
		.replace(/(?:[?!]+|\.)\[/g, "[")
		.replace(/^[*&]+|!+$/g, "");
	// The result of a call is not a place, but a member of the result is.
	return /^[\w$@#:.\u00aa-\uffff][\w$@#&*().[\]:\u00aa-\uffff]*$/.test(place) && !place.endsWith(")") ? place : "";
}

const NAME_CHARACTER = /[\w$\u00aa-\uffff]/;
const MOST_CASTS = 8;

/** Unwraps casts and dereferences: `(a as B).c`, `((B) a).c` and `(<B>a).c` → `a.c`; `(*a).b` → `a.b`. */
function withoutCasts(written: string): string {
	let text = written;
	for (let casts = 0; casts < MOST_CASTS && /^[*&]*\(/.test(text); casts += 1) {
		const open = text.indexOf("(");
		const close = closingOf(text, open);
		if (close < 0) return text;
		const inner = text.slice(open + 1, close).trim();
		const rest = text.slice(close + 1);
		if (/^\s*[\w$(*&]/.test(rest)) text = rest.trim();
		else if (!/^[\w$@#(<*&\u00aa-\uffff]/.test(inner)) return text;
		else text = inner.replace(/^<[^<>]*>\s*|\s+(?:as|satisfies)\s[\s\S]*$|!+$/g, "") + rest.replace(/^!+/, "");
	}
	return text;
}

/** The index of the bracket that closes the one at `open`; -1 if there is none. */
function closingOf(text: string, open: number): number {
	let depth = 0;
	for (let at = open; at < text.length; at += 1) {
		const char = text[at];
		if (char === "(") depth += 1;
		else if (char === ")" && --depth === 0) return at;
	}
	return -1;
}

/** Splits at commas that are neither inside brackets nor in a double-quoted string. */
export function splitAtCommas(text: string): string[] {
	const parts: string[] = [];
	let depth = 0;
	let from = 0;
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at];
		if (char === '"') at = closingQuote(text, at);
		else if (char === "(" || char === "[" || char === "{" || char === "<") depth += 1;
		else if (char === ">" && /[-=]/.test(text[at - 1] ?? "")) continue;
		else if ((char === ")" || char === "]" || char === "}" || char === ">") && depth > 0) depth -= 1;
		else if (char === "," && depth === 0) {
			parts.push(text.slice(from, at));
			from = at + 1;
		}
	}
	parts.push(text.slice(from));
	return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The index of the quote that closes the one at `open`; `open` itself if there is none. */
function closingQuote(text: string, open: number): number {
	for (let at = open + 1; at < text.length; at += 1) {
		if (text[at] === "\\") at += 1;
		else if (text[at] === '"') return at;
	}
	return open;
}

/** Looks up a word from source text as an own key, so that `constructor` does not find an inherited member. */
export function lookUpOwn<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
	return table && Object.hasOwn(table, word) ? table[word] : undefined;
}
