import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isRecord } from "../serverEntry.ts";
import { applyEdit, type Edit, planListEdit, type Span } from "./edit.ts";

/** The tables under `key`; throws with the place of a syntax error. */
export function readTomlEntries(text: string, key: readonly string[]): Record<string, unknown> {
	let at: Record<string, unknown> = parse(text);
	for (const part of key) {
		const next = at[part] ?? {};
		if (!isRecord(next)) throw new Error(`${part}: expected a table, got ${JSON.stringify(next).slice(0, 40)}`);
		at = next;
	}
	return at;
}

/**
 * The text with one table set, or removed when the value is `undefined`. Only the lines of that table change:
 * TOML has no order of tables to keep, so a new one goes to the end.
 */
export function editTomlEntry(text: string, key: readonly string[], name: string, value: unknown): string {
	parse(text);
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	const rest = withoutTable(text, [...key, name]);
	if (value === undefined) {
		if (name in readTomlEntries(rest, key)) throw new Error(aTableOfItsOwn([...key, name]));
		return rest;
	}
	if (!isRecord(value)) throw new Error(`expected a table for ${name}`);
	const head = rest === "" || rest.endsWith("\n") ? rest : rest + eol;
	const table = renderTable([...key, name], value).join(eol);
	return checked(`${head}${head.trim() === "" ? "" : eol}${table}${eol}`, [...key, name]);
}

/** The text with members of one table set in place or, for `undefined`, removed; everything else stays. */
export function editTomlMembers(
	text: string,
	path: readonly string[],
	members: Readonly<Record<string, unknown>>,
): string {
	const set = (done: string, [member, value]: [string, unknown]) => withMember(done, path, member, value);
	return checked(Object.entries(members).reduce(set, text), path);
}

function withMember(text: string, path: readonly string[], member: string, value: unknown): string {
	const places = findTomlPlaces(text);
	const place = places.find((one) => isDeepStrictEqual(one.path, [...path, member]));
	if (value === undefined) return place === undefined ? text : withoutMember(text, place);
	if (place !== undefined) {
		const within = Array.isArray(value) ? arrayEdit(text, place, value.map(String)) : undefined;
		return applyEdit(text, within ?? { ...place.value, says: written(value) });
	}
	const sibling = places.find((one) => isDeepStrictEqual(one.path.slice(0, -1), path));
	if (sibling === undefined) throw new Error(aTableOfItsOwn(path));
	const says = `${text.slice(sibling.key.start, sibling.lastKey.start)}${member} = ${written(value)}`;
	if (sibling.inline) return `${text.slice(0, sibling.value.end)}, ${says}${text.slice(sibling.value.end)}`;
	// On a line of its own, so that a comment after the sibling stays with the sibling.
	const line = text.lastIndexOf("\n", sibling.key.start) + 1;
	const indent = text.slice(line, sibling.key.start);
	return `${text.slice(0, line)}${indent}${says}${text.includes("\r\n") ? "\r\n" : "\n"}${text.slice(line)}`;
}

/** Removes a list from a line of its own, or from the braces it is in; where that is not all there, it is emptied. */
function withoutMember(text: string, { key, value, inline }: TomlPlace): string {
	const before = inline ? /,\s*$/.exec(text.slice(0, key.start)) : /(?:^|\n)[ \t]*$/.exec(text.slice(0, key.start));
	const after = inline ? /^/ : /^[ \t]*(?:\r?\n|$)/;
	const rest = after.exec(text.slice(value.end));
	if (before === null || rest === null) return applyEdit(text, { ...value, says: "[]" });
	const start = before.index + (before[0].startsWith("\n") ? 1 : 0);
	return applyEdit(text, { start, end: value.end + rest[0].length, says: "" });
}

function arrayEdit(text: string, { items }: TomlPlace, wanted: readonly string[]): Edit | undefined {
	const present = items.map((item) => ({ ...item, value: parse(`item = ${text.slice(item.start, item.end)}`).item }));
	return planListEdit(present, wanted, (word) => `${written(word)}, `);
}

/** Detects a table that was also written inline or with dotted keys, and is now defined twice. */
function checked(text: string, path: readonly string[]): string {
	try {
		parse(text);
		return text;
	} catch {
		throw new Error(aTableOfItsOwn(path));
	}
}

function aTableOfItsOwn(path: readonly string[]): string {
	return `expected [${path.map(bare).join(".")}] as a table of its own; change it by hand`;
}

/** Removes the table and its sub-tables; a comment before the next table belongs to that table and stays. */
function withoutTable(text: string, path: readonly string[]): string {
	const own = findTomlTables(text).filter((table) => startsWith(table.path, path));
	const result = own.toReversed().reduce((rest, { start, end }) => applyEdit(rest, { start, end, says: "" }), text);
	// Also removes the blank line that was inserted before the table.
	return result === text ? text : result.replace(/(\r?\n)(?:\r?\n)+$/, "$1");
}

function startsWith(keys: readonly string[], path: readonly string[]): boolean {
	return path.every((part, index) => keys[index] === part);
}

function renderTable(path: readonly string[], value: Readonly<Record<string, unknown>>): string[] {
	const lines = [`[${path.map(bare).join(".")}]`];
	const tables: string[] = [];
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) tables.push("", ...renderTable([...path, key], inner));
		else lines.push(`${bare(key)} = ${written(inner)}`);
	}
	return [...lines, ...tables];
}

function written(value: unknown): string {
	return Array.isArray(value) ? `[${value.map(written).join(", ")}]` : JSON.stringify(value);
}

function bare(key: string): string {
	return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** The position of a value in a TOML text, and of its key. */
type TomlPlace = {
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
type TomlTable = Span & { readonly path: readonly string[] };

/** Finds every value in a valid text, under headers, in dotted keys and in inline tables. */
export function findTomlPlaces(text: string): TomlPlace[] {
	return scanned(text).places;
}

function findTomlTables(text: string): TomlTable[] {
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
