import { isDeepStrictEqual } from "node:util";
import {
	applyEdits,
	createScanner,
	modify,
	type Node,
	type ParseError,
	parseTree,
	printParseErrorCode,
} from "jsonc-parser";
import { applyEdit, type Edit, planListEdit } from "./edit.ts";

/** The entries under `key`, comments and trailing commas allowed; throws with the place of what is wrong. */
export function readJsonEntries(text: string, key: readonly string[]): Record<string, unknown> {
	const root = parsed(marked(text).body);
	if (root === undefined) return {};
	checkTables(root, key);
	const table = nodeAt(root, key);
	const names = (table?.children ?? []).map(nameOf);
	return Object.fromEntries(names.map((name) => [name, read(memberOf(table, name))]));
}

/** A table copied out of a text into a small text with the same layout. */
export type TableAlone = {
	readonly text: string;
	readonly key: readonly string[];
	/** Puts the edited table back into the whole text. */
	put(edited: string): string;
};

/** Saves minutes where an agent keeps megabytes of history beside its servers: each edit parses its text repeatedly. */
export function cutOutTable(text: string, key: readonly string[]): TableAlone | undefined {
	const { mark, body } = marked(text);
	const table = nodeAt(parsed(body), key);
	const name = key.at(-1);
	if (table?.type !== "object" || name === undefined) return undefined;
	const { unit, outer, eol } = layoutAt(body, table);
	// The first member carries over the indentation of the whole text.
	const head = `{${eol}${unit}"": 0,${eol}${outer}${JSON.stringify(name)}: `;
	const tail = `${eol}}`;
	return {
		text: head + textOf(body, table) + tail,
		key: [name],
		put: (edited) =>
			mark +
			body.slice(0, table.offset) +
			edited.slice(head.length, edited.length - tail.length) +
			body.slice(table.offset + table.length),
	};
}

/** The value of the whole file. */
export function readJson(text: string): unknown {
	return read(parsed(marked(text).body)) ?? {};
}

/** The text with one entry set, or removed when the value is `undefined`; everything else stays byte for byte. */
export function editJsonEntry(text: string, key: readonly string[], name: string, value: unknown): string {
	const { mark, body } = marked(text);
	return mark + editBody(body, key, name, value);
}

function editBody(text: string, key: readonly string[], name: string, value: unknown): string {
	const source = text.trim() === "" ? "{}\n" : text;
	const root = parsed(source);
	checkTables(root, key);
	const table = nodeAt(root, key);
	const entry = memberOf(table, name);
	if (value === undefined) return entry?.parent === undefined ? text : removeMember(source, entry.parent);
	if (entry !== undefined && isDeepStrictEqual(read(entry), value)) return text;
	if (table !== undefined && entry === undefined) return insertFirst(source, table, name, value);
	return applyEdits(source, modify(source, [...key, name], value, { formattingOptions: formattingOf(source) }));
}

/** The text with one member of an object set or, for `undefined`, removed; everything around it stays byte for byte. */
export function editJsonMember(text: string, path: readonly string[], value: unknown): string {
	const { mark, body } = marked(text);
	const entry = nodeAt(parsed(body), path.slice(0, -1));
	const present = memberOf(entry, path.at(-1) ?? "");
	if (value === undefined) return present?.parent === undefined ? text : mark + removeMember(body, present.parent);
	const within =
		Array.isArray(value) && present !== undefined ? arrayEdit(body, present, value.map(String)) : undefined;
	if (within !== undefined) return mark + applyEdit(body, within);
	const isOneLine = entry !== undefined && !textOf(body, entry).includes("\n");
	const options = isOneLine ? {} : { formattingOptions: formattingOf(body) };
	return mark + applyEdits(body, modify(body, [...path], value, options));
}

/** New items are laid out like the first one: on separate lines, or all on one line. */
function arrayEdit(text: string, list: Node, wanted: readonly string[]): Edit | undefined {
	const items = (list.children ?? []).map((node) => ({
		start: node.offset,
		end: node.offset + node.length,
		value: read(node),
	}));
	const gap = /\r?\n[ \t]*$/.exec(text.slice(list.offset, items[0]?.start))?.[0] ?? " ";
	return planListEdit(items, wanted, (word) => `${JSON.stringify(word)},${gap}`);
}

/** Splits off the byte order mark that some editors write, so that edits keep it. */
function marked(text: string): { readonly mark: string; readonly body: string } {
	const body = text.replace(/^\ufeff/, "");
	return { mark: text.slice(0, text.length - body.length), body };
}

/** The containers on the path to the entries must be objects, or missing. */
function checkTables(root: Node | undefined, key: readonly string[]): void {
	if (root?.type !== "object") throw new Error("expected an object at the top of the file");
	let at: Node = root;
	for (const part of key) {
		const next = memberOf(at, part);
		if (next === undefined) return;
		if (next.type !== "object")
			throw new Error(`${part}: expected an object, got ${JSON.stringify(read(next)).slice(0, 40)}`);
		at = next;
	}
}

function nodeAt(root: Node | undefined, key: readonly string[]): Node | undefined {
	return key.reduce(memberOf, root);
}

/** Refuses duplicate members: programs differ in which they read, so an edit might change the wrong one. */
function memberOf(node: Node | undefined, name: string): Node | undefined {
	if (node?.type !== "object") return undefined;
	const [found, second] = (node.children ?? []).filter((member) => nameOf(member) === name);
	if (second !== undefined) throw new Error(`${name}: expected once, got it twice; correct it first`);
	return found?.children?.[1];
}

function nameOf(member: Node): string {
	return String(member.children?.[0]?.value);
}

/** Like the library's own function, but with ordinary objects, so that they compare equal to ours. */
function read(node: Node | undefined): unknown {
	const members = node?.children ?? [];
	if (node?.type === "array") return members.map(read);
	if (node?.type !== "object") return node?.value;
	return Object.fromEntries(members.map((member) => [nameOf(member), read(member.children?.[1])]));
}

function textOf(text: string, { offset, length }: Node): string {
	return text.slice(offset, offset + length);
}

/** Inserted first, where no missing comma or trailing comment can interfere. */
function insertFirst(text: string, table: Node, name: string, value: unknown): string {
	const at = table.offset + 1;
	const isOneLine = !textOf(text, table).includes("\n") && (table.children?.length ?? 0) > 0;
	const comma = (table.children?.length ?? 0) > 0 ? "," : "";
	if (isOneLine) return `${text.slice(0, at)}${JSON.stringify(name)}:${JSON.stringify(value)}${comma}${text.slice(at)}`;
	const { unit, outer, eol } = layoutAt(text, table);
	const body = JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${outer}${unit}`);
	const head = `${text.slice(0, at)}${eol}${outer}${unit}${JSON.stringify(name)}: ${body}${comma}`;
	const end = table.offset + table.length - 1;
	// An empty table may have comments in it, such as servers that somebody keeps for later.
	return text.slice(at, end).trim() === "" ? `${head}${eol}${outer}${text.slice(end)}` : head + text.slice(at);
}

/** Removes a member, the white space before it and one comma; comments stay, and so does a comma at the list's end. */
function removeMember(text: string, member: Node): string {
	const members = member.parent?.children ?? [];
	const previous = members[members.indexOf(member) - 1];
	const begin = previous === undefined ? (member.parent?.offset ?? 0) + 1 : previous.offset + previous.length;
	const end = member.offset + member.length;
	const comma = commaAt(text, end);
	const noted = text.slice(end, comma ?? end);
	const rest = (noted.trim() && noted) + text.slice(comma === undefined ? end : comma + 1);
	const between = text.slice(begin, member.offset);
	// Text after the member must not be joined to a comment on the line before.
	const isJoined = !/\/\/[^\n]*\s*$/.test(between) || /^[ \t]*\r?\n/.test(rest);
	const kept = text.slice(0, member.offset);
	const head = isJoined ? kept.trimEnd() : kept;
	const spare = comma === undefined && previous !== undefined ? commaAt(text, begin) : undefined;
	return (spare === undefined ? head : head.slice(0, spare) + head.slice(spare + 1)) + rest;
}

/** The place of the next token, if that is a comma. */
function commaAt(text: string, from: number): number | undefined {
	const scanner = createScanner(text, true);
	scanner.setPosition(from);
	scanner.scan();
	const at = scanner.getTokenOffset();
	return text[at] === "," ? at : undefined;
}

/** Cached, because the same text, which may be large, is usually parsed again next. */
let latest: { readonly text: string; readonly root: Node | undefined } | undefined;

function parsed(text: string): Node | undefined {
	if (text.trim() === "") return undefined;
	if (latest?.text === text) return latest.root;
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first === undefined) {
		latest = { text, root };
		return root;
	}
	const line = text.slice(0, first.offset).split("\n").length;
	// Turns names such as `CommaExpected` into words.
	const what = printParseErrorCode(first.error)
		.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
		.trim();
	throw new Error(`line ${line}: not valid JSON (${what}); correct it first`);
}

/** One step of indentation, the indentation of the line where a value begins, and the line ending. */
function layoutAt(text: string, { offset }: Node): { unit: string; outer: string; eol: string } {
	const { insertSpaces, tabSize, eol } = formattingOf(text);
	const outer = /[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset) + 1))?.[0] ?? "";
	return { unit: insertSpaces ? " ".repeat(tabSize) : "\t", outer, eol };
}

function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
	const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
	return {
		insertSpaces: !indent.startsWith("\t"),
		tabSize: indent.startsWith("\t") ? 1 : indent.length,
		eol: text.includes("\r\n") ? "\r\n" : "\n",
	};
}
