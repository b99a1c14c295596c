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
	return `${head}${head.trim() === "" ? "" : eol}${table}${eol}`;
}

function withoutTable(text: string, path: readonly string[]): string {
	const kept: string[] = [];
	let inside = false;
	for (const line of text.split(/(?<=\n)/)) {
		const header = /^\s*\[(?!\[)\s*([^\]]+?)\s*\]/.exec(line)?.[1] ?? /^\s*\[\[\s*([^\]]+?)\s*\]\]/.exec(line)?.[1];
		if (header !== undefined) inside = startsWith(keysOf(header), path);
		if (!inside) kept.push(line);
	}
	const result = kept.join("");
	// The blank line that was put before our table goes with it.
	return result === text ? text : result.replace(/(\r?\n)(?:\r?\n)+$/, "$1");
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
