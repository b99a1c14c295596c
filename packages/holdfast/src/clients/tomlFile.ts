import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { isRecord } from "./serverEntry.ts";

/** The tables under `key`; throws with the place of a syntax error. */
export function readTomlEntries(text: string, key: readonly string[]): Record<string, unknown> {
	let at: unknown = parse(text);
	for (const part of key) at = isRecord(at) ? at[part] : undefined;
	return isRecord(at) ? at : {};
}

/**
 * The text with one table set, or removed when the value is `undefined`. Only the lines of that table change:
 * TOML has no order of tables to keep, so a new one goes to the end.
 */
export function editTomlEntry(text: string, key: readonly string[], name: string, value: unknown): string {
	parse(text);
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	const rest = withoutTable(text, [...key, name]);
	if (value === undefined) return rest;
	if (!isRecord(value)) throw new Error(`expected a table for ${name}`);
	const head = rest === "" || rest.endsWith("\n") ? rest : rest + eol;
	const table = renderTable([...key, name], value).join(eol);
	return checked(`${head}${head.trim() === "" ? "" : eol}${table}${eol}`, [...key, name]);
}

/** The text with members of one table set in their lines; the rest of the table stays as it is. */
export function editTomlMembers(
	text: string,
	path: readonly string[],
	members: Readonly<Record<string, unknown>>,
): string {
	const lines = text.split(/(?<=\n)/);
	const start = lines.findIndex((line) => isDeepStrictEqual(headerOf(line), path));
	if (start === -1) throw new Error(aTableOfItsOwn(path));
	const next = lines.findIndex((line, index) => index > start && headerOf(line) !== undefined);
	const table = lines.slice(start + 1, next === -1 ? undefined : next);
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	for (const [member, value] of Object.entries(members)) {
		const at = table.findIndex((line) => new RegExp(`^\\s*"?${member}"?\\s*=`).test(line));
		const length = at === -1 ? 0 : lengthOfValue(table, at);
		table.splice(Math.max(0, at), length, `${member} = ${JSON.stringify(value)}${eol}`);
	}
	const after = next === -1 ? [] : lines.slice(next);
	return checked([...lines.slice(0, start + 1), ...table, ...after].join(""), path);
}

/** A value may go on over lines: it has them all as soon as it can be read. */
function lengthOfValue(table: readonly string[], at: number): number {
	for (let length = 1; at + length <= table.length; length++) {
		try {
			parse(table.slice(at, at + length).join(""));
			return length;
		} catch {}
	}
	return 1;
}

/** A table that was said another way, inline or by dotted keys, is now there twice. */
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

function withoutTable(text: string, path: readonly string[]): string {
	const kept: string[] = [];
	let inside = false;
	for (const line of text.split(/(?<=\n)/)) {
		const header = headerOf(line);
		if (header !== undefined) inside = startsWith(header, path);
		if (!inside) kept.push(line);
	}
	const result = kept.join("");
	// The blank line that was put before our table goes with it.
	return result === text ? text : result.replace(/(\r?\n)(?:\r?\n)+$/, "$1");
}

/** The keys of a line that begins a table. */
function headerOf(line: string): string[] | undefined {
	const header = /^\s*\[(?!\[)\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? /^\s*\[\[\s*([^\]]+?)\s*\]\]/.exec(line)?.[1];
	return header === undefined ? undefined : keysOf(header);
}

function keysOf(header: string): string[] {
	return (header.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^.\s]+/g) ?? []).map((part) => part.replace(/^["']|["']$/g, ""));
}

function startsWith(keys: readonly string[], path: readonly string[]): boolean {
	return path.every((part, index) => keys[index] === part);
}

function renderTable(path: readonly string[], value: Readonly<Record<string, unknown>>): string[] {
	const lines = [`[${path.map(bare).join(".")}]`];
	const tables: string[] = [];
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) tables.push("", ...renderTable([...path, key], inner));
		else lines.push(`${bare(key)} = ${JSON.stringify(inner)}`);
	}
	return [...lines, ...tables];
}

function bare(key: string): string {
	return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
