import type { Span } from "./span.ts";

/** The position of a value in a TOML text, and of its key. */
export type TomlPlace = {
	readonly path: readonly string[];
	/** The whole key as written; within one table only its last part differs. */
	readonly key: Span;
	readonly lastKey: Span;
	readonly value: Span;
	/** The items, if the value is an array. */
	readonly items: readonly Span[];
	/** Whether it is inside the braces of an inline table. */
	readonly inline: boolean;
};

/** The lines of a table with a header, from the header to its last value. */
export type TomlTable = Span & { readonly path: readonly string[] };

/** Finds every value in a valid text, under headers, in dotted keys and in inline tables. */
export function tomlPlaces(text: string): TomlPlace[] {
	return scanned(text).places;
}

export function tomlTables(text: string): TomlTable[] {
	return scanned(text).tables;
}

function scanned(text: string): { readonly places: TomlPlace[]; readonly tables: TomlTable[] } {
	const places: TomlPlace[] = [];
	const tables: TomlTable[] = [];
	let at = 0;
	let table: readonly string[] = [];
	for (skip(BLANKS); at < text.length; skip(BLANKS)) {
		if (text[at] !== "[") {
			member(table, false);
			const known = tables.pop();
			if (known !== undefined) tables.push({ ...known, end: endOfLine() });
			continue;
		}
		const start = text.lastIndexOf("\n", at) + 1;
		skip(/\[+/y);
		table = keys().path;
		skip(/\s*\]+/y);
		tables.push({ path: table, start, end: endOfLine() });
	}
	return { places, tables };

	function endOfLine(): number {
		const end = text.indexOf("\n", at);
		return end === -1 ? text.length : end + 1;
	}

	/** `a.b = value`. */
	function member(under: readonly string[], inline: boolean): void {
		const { path, key, lastKey } = keys();
		skip(/\s*=\s*/y);
		const whole = [...under, ...path];
		const index = places.length;
		const { span, items } = value(whole);
		places.splice(index, 0, { path: whole, key, lastKey, value: span, items, inline });
	}

	function keys(): { readonly path: string[]; readonly key: Span; readonly lastKey: Span } {
		skip(/\s*/y);
		const parts: Span[] = [];
		do parts.push(skip(KEY));
		while (skip(/\s*\.\s*/y).end > (parts.at(-1)?.end ?? at));
		const [first = { start: at, end: at }] = parts;
		const last = parts.at(-1) ?? first;
		return {
			path: parts.map(({ start, end }) => plainKey(text.slice(start, end))),
			key: { start: first.start, end: last.end },
			lastKey: last,
		};
	}

	function value(path: readonly string[]): { readonly span: Span; readonly items: readonly Span[] } {
		const start = at;
		const items: Span[] = [];
		if (text[at] === "[") within("]", () => items.push(value([]).span));
		else if (text[at] === "{") within("}", () => member(path, true));
		else skip(text[at] === '"' || text[at] === "'" ? STRING : SCALAR);
		return { span: { start, end: at }, items };
	}

	function within(closing: string, one: () => void): void {
		at++;
		for (skip(BLANKS); at < text.length && text[at] !== closing; skip(BLANKS)) {
			one();
			skip(BLANKS);
			skip(/,/y);
		}
		at++;
	}

	function skip(pattern: RegExp): Span {
		const start = at;
		pattern.lastIndex = at;
		at += pattern.exec(text)?.[0].length ?? 0;
		return { start, end: at };
	}
}

const BLANKS = /(?:\s|#[^\n]*)*/y;
const KEY = /"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+/y;
const STRING = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*'/y;
// A date may contain a space.
const SCALAR = /[\w+.:-]+(?: \d[\w.:+-]*)?/y;

function plainKey(key: string): string {
	if (key.startsWith('"')) return String(JSON.parse(key));
	return key.startsWith("'") ? key.slice(1, -1) : key;
}
