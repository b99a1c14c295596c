import { isDeepStrictEqual } from "node:util";
import {
	applyEdits,
	findNodeAtLocation,
	modify,
	type Node,
	type ParseError,
	parse,
	parseTree,
	printParseErrorCode,
} from "jsonc-parser";
import { isRecord } from "./serverEntry.ts";

/** The entries under `key`, comments and trailing commas allowed; throws with the place of a syntax error. */
export function readJsonEntries(text: string, key: readonly string[]): Record<string, unknown> {
	let at = parseJson(marked(text).body);
	for (const part of key) at = isRecord(at) ? at[part] : undefined;
	return isRecord(at) ? at : {};
}

/** The text with one entry set, or removed when the value is `undefined`; everything else stays byte for byte. */
export function editJsonEntry(text: string, key: readonly string[], name: string, value: unknown): string {
	const { mark, body } = marked(text);
	return mark + editBody(body, key, name, value);
}

function editBody(text: string, key: readonly string[], name: string, value: unknown): string {
	const source = text.trim() === "" ? "{}\n" : text;
	checkTables(parseJson(source), key);
	const entries = readJsonEntries(source, key);
	if (value !== undefined && isDeepStrictEqual(entries[name], value)) return text;
	const table = findTable(source, key);
	if (value !== undefined && table !== undefined && !Object.hasOwn(entries, name))
		return insertFirst(source, table, name, value);
	const formattingOptions = formattingOf(source);
	return applyEdits(source, modify(source, [...key, name], value, value === undefined ? {} : { formattingOptions }));
}

/** The text with one member of an object set; what stands around it stays byte for byte. */
export function editJsonMember(text: string, path: readonly string[], value: unknown): string {
	const { mark, body } = marked(text);
	const entry = findTable(body, path.slice(0, -1));
	const isOneLine = entry !== undefined && !body.slice(entry.offset, entry.offset + entry.length).includes("\n");
	const options = isOneLine ? {} : { formattingOptions: formattingOf(body) };
	return mark + applyEdits(body, modify(body, [...path], value, options));
}

/** Some editors begin a file with a byte order mark; it stays, and is no part of the JSON. */
function marked(text: string): { readonly mark: string; readonly body: string } {
	const body = text.replace(/^\ufeff/, "");
	return { mark: text.slice(0, text.length - body.length), body };
}

/** What is on the way to the entries must be objects, or not there yet. */
function checkTables(value: unknown, key: readonly string[]): void {
	if (!isRecord(value)) throw new Error("expected an object at the top of the file");
	let at: unknown = value;
	for (const part of key) {
		at = isRecord(at) ? at[part] : undefined;
		if (at === undefined) return;
		if (!isRecord(at)) throw new Error(`${part}: expected an object, got ${JSON.stringify(at).slice(0, 40)}`);
	}
}

function findTable(text: string, key: readonly string[]): Node | undefined {
	const root = parseTree(text, [], { allowTrailingComma: true });
	const node = root === undefined ? undefined : findNodeAtLocation(root, [...key]);
	return node?.type === "object" ? node : undefined;
}

/** In front of the others, where neither a missing comma nor a comment behind the last one can be in the way. */
function insertFirst(text: string, table: Node, name: string, value: unknown): string {
	const at = table.offset + 1;
	const { insertSpaces, tabSize, eol } = formattingOf(text);
	const isOneLine =
		!text.slice(table.offset, table.offset + table.length).includes("\n") && (table.children?.length ?? 0) > 0;
	const comma = (table.children?.length ?? 0) > 0 ? "," : "";
	if (isOneLine) return `${text.slice(0, at)}${JSON.stringify(name)}:${JSON.stringify(value)}${comma}${text.slice(at)}`;
	const unit = insertSpaces ? " ".repeat(tabSize) : "\t";
	const outer = /[ \t]*/.exec(text.slice(text.lastIndexOf("\n", table.offset) + 1))?.[0] ?? "";
	const body = JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${outer}${unit}`);
	const end = comma === "" ? `${eol}${outer}` : "";
	return `${text.slice(0, at)}${eol}${outer}${unit}${JSON.stringify(name)}: ${body}${comma}${end}${text.slice(comma === "" ? table.offset + table.length - 1 : at)}`;
}

function parseJson(text: string): unknown {
	if (text.trim() === "") return {};
	const errors: ParseError[] = [];
	const value: unknown = parse(text, errors, { allowTrailingComma: true });
	const [first] = errors;
	if (first !== undefined) {
		const line = text.slice(0, first.offset).split("\n").length;
		// `CommaExpected` and the like, as words.
		const what = printParseErrorCode(first.error)
			.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
			.trim();
		throw new Error(`line ${line}: no JSON (${what}); correct it first`);
	}
	return value;
}

function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
	const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
	return {
		insertSpaces: !indent.startsWith("\t"),
		tabSize: indent.startsWith("\t") ? 1 : indent.length,
		eol: text.includes("\r\n") ? "\r\n" : "\n",
	};
}
