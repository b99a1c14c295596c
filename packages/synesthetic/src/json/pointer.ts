import { isJsonArray, isJsonObject, type JsonValue } from "./jsonValue.ts";

/** A key as an escaped step of an RFC 6901 pointer, with its slash. */
export function writePointerStep(key: string | number): string {
	if (typeof key === "number" || !(key.includes("~") || key.includes("/"))) return `/${key}`;
	return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The pointer's reference tokens; undefined if the text is not a pointer. */
export function splitPointer(pointer: string): string[] | undefined {
	if (pointer === "") return [];
	if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
	return pointer
		.slice(1)
		.split("/")
		.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function findChild(value: JsonValue, token: string): JsonValue | undefined {
	if (isJsonArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
	return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

export function findValue(root: JsonValue, pointer: string): JsonValue | undefined {
	let value: JsonValue | undefined = root;
	for (const token of splitPointer(pointer) ?? [undefined]) {
		if (value === undefined || token === undefined) return undefined;
		value = findChild(value, token);
	}
	return value;
}

export type Position = { readonly line: number; readonly column: number };

/** The position at which the value at a pointer begins in valid JSON text; line and column count from 1. */
export function locateValue(text: string, pointer: string): Position | undefined {
	const tokens = splitPointer(pointer);
	if (tokens === undefined) return undefined;
	let at = skipSpace(text, 0);
	for (const token of tokens) {
		const found =
			text[at] === "{" ? findMember(text, at, token) : text[at] === "[" ? findItem(text, at, token) : undefined;
		if (found === undefined) return undefined;
		at = found;
	}
	return findPosition(text, at);
}

export function findPosition(text: string, offset: number): Position {
	const before = text.slice(0, offset);
	const lineStart = before.lastIndexOf("\n") + 1;
	return { line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1 };
}

// Of members with the same name, a parser keeps the last.
function findMember(text: string, open: number, name: string): number | undefined {
	let found: number | undefined;
	let at = skipSpace(text, open + 1);
	while (text[at] === '"') {
		const end = skipString(text, at);
		const value = skipSpace(text, skipSpace(text, end) + 1);
		if (JSON.parse(text.slice(at, end)) === name) found = value;
		at = skipSpace(text, skipValue(text, value));
		if (text[at] === ",") at = skipSpace(text, at + 1);
	}
	return found;
}

function findItem(text: string, open: number, index: string): number | undefined {
	let at = skipSpace(text, open + 1);
	for (let i = 0; at < text.length && text[at] !== "]"; i += 1) {
		if (String(i) === index) return at;
		at = skipSpace(text, skipValue(text, at));
		if (text[at] === ",") at = skipSpace(text, at + 1);
	}
	return undefined;
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
	return at;
}

function skipString(text: string, open: number): number {
	let at = open + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
	return at + 1;
}

function skipValue(text: string, from: number): number {
	let depth = 0;
	for (let at = from; at < text.length; at += 1) {
		const c = text[at];
		if (c === '"') {
			at = skipString(text, at) - 1;
			if (depth === 0) return at + 1;
		} else if (c === "{" || c === "[") depth += 1;
		else if (c === "}" || c === "]") {
			if (depth === 0) return at;
			depth -= 1;
			if (depth === 0) return at + 1;
		} else if (depth === 0 && (c === "," || " \t\r\n".includes(c ?? ""))) return at;
	}
	return text.length;
}
