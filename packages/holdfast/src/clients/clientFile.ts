import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { errorCode, failureText } from "libmcp/command";
import type { Client } from "./clientTable.ts";
import { cutOutTable, editJsonEntry, editJsonMember, readJson, readJsonEntries } from "./files/jsonFile.ts";
import { editTomlEntry, editTomlMembers, readTomlEntries } from "./files/tomlFile.ts";
import { isRecord, type ServerEntry, toClientEntry } from "./serverEntry.ts";

/** The file's text, or `undefined` when there is none. */
export function readClientFile(path: string): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
	} catch (error) {
		if (errorCode(error) === "ENOENT") return undefined;
		// Lenient decoding would write other bytes back.
		if (error instanceof TypeError) throw new Error(`${path}: expected UTF-8, got other bytes; correct it first`);
		const says = failureText(error);
		throw new Error(says.startsWith(path) ? says : `${path}: ${says}`);
	}
}

/** The path of keys to the table of servers in this file. */
export function findKey(client: Client, path: string, text: string): readonly string[] {
	const { key, newerKey } = client;
	const last = newerKey?.at(-1);
	if (newerKey === undefined || last === undefined) return key;
	const table = readEntries(client, path, text, newerKey.slice(0, -1))[last];
	// In the older layout this may be a server of that name, whose members are not all objects.
	return isRecord(table) && Object.values(table).every(isRecord) ? newerKey : key;
}

/** The entries of a client's file, by server name. */
export function readEntries(
	client: Client,
	path: string,
	text: string,
	key = findKey(client, path, text),
): Record<string, unknown> {
	return nameFileIn(path, () => (client.format === "json" ? readJsonEntries : readTomlEntries)(text, key));
}

/** The file's text with one server set or, for `undefined`, removed. */
export function setServer(
	client: Client,
	path: string,
	text: string,
	name: string,
	entry: ServerEntry | undefined,
): string {
	const value = entry === undefined ? undefined : toClientEntry(client, entry);
	return editEntry(client, path, text, findKey(client, path, text), name, value);
}

/** Like `withServer`, but takes the entry in the client's own form. */
export function editEntry(
	client: Client,
	path: string,
	text: string,
	key: readonly string[],
	name: string,
	value: unknown,
): string {
	return editTable(client, path, text, key, (part, at) =>
		nameFileIn(path, () => {
			const edited = (client.format === "json" ? editJsonEntry : editTomlEntry)(part, at, name, value);
			checkOnlyChange(wholeOf(client, part), wholeOf(client, edited), [...at, name], value);
			return edited;
		}),
	);
}

/** Edits one table of a text; `edit` gets a small text with only that table, to save time on large files. */
export function editTable(
	client: Client,
	path: string,
	text: string,
	key: readonly string[],
	edit: (part: string, key: readonly string[]) => string,
): string {
	const alone = client.format === "json" ? nameFileIn(path, () => cutOutTable(text, key)) : undefined;
	return alone === undefined ? edit(text, key) : alone.put(edit(alone.text, alone.key));
}

/** The file's text with some members of one server's entry set or, for `undefined`, removed. */
export function setMembers(
	client: Client,
	path: string,
	text: string,
	at: readonly string[],
	members: Readonly<Record<string, unknown>>,
): string {
	return nameFileIn(path, () => {
		const set = (edited: string, [member, value]: [string, unknown]) => editJsonMember(edited, [...at, member], value);
		const edited =
			client.format === "toml" ? editTomlMembers(text, at, members) : Object.entries(members).reduce(set, text);
		const { [at.at(-1) ?? ""]: entry } = readEntries(client, path, text, at.slice(0, -1));
		checkOnlyChange(wholeOf(client, text), wholeOf(client, edited), at, { ...(isRecord(entry) && entry), ...members });
		return edited;
	});
}

function wholeOf(client: Client, text: string): unknown {
	return client.format === "json" ? readJson(text) : readTomlEntries(text, []);
}

/** Adds the file's path to errors thrown by `read`. */
export function nameFileIn<Result>(path: string, read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		throw new Error(`${path}: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
	}
}

/** Throws if an edit changed anything but the value at `path`, so that a wrong edit is never written. */
function checkOnlyChange(before: unknown, after: unknown, path: readonly string[], value: unknown): void {
	if (!isDeepStrictEqual(withoutEmpty(after), withoutEmpty(withValue(before, path, value))))
		throw new Error(`${path.join(".")}: expected to change this alone, and cannot in this layout; change it by hand`);
}

function withValue(tree: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
	if (first === undefined) return value;
	const members = isRecord(tree) ? tree : {};
	return { ...members, [first]: withValue(members[first], rest, value) };
}

/**
 * Drops empty members, because TOML cannot keep a table without entries. Numbers in lists become texts, because an edit
 * keeps unchanged arguments as they are written.
 */
function withoutEmpty(tree: unknown): unknown {
	if (Array.isArray(tree)) return tree.map((item) => (typeof item === "object" ? item : String(item)));
	if (!isRecord(tree) || tree instanceof Date) return tree;
	const members = Object.entries(tree).map(([name, value]) => [name, withoutEmpty(value)] as const);
	const said = members.filter(([, value]) => value !== undefined);
	return said.length === 0 ? undefined : Object.fromEntries(said);
}
