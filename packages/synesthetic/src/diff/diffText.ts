import { compactJson } from "../json/compactJson.ts";
import { jsonEqual } from "../json/jsonEqual.ts";
import { END, ESCAPED, type JsonTape, jsonTape, NEXT, SIZE } from "../json/jsonTape.ts";
import type { JsonValue } from "../json/jsonValue.ts";
import { byCodePoint } from "../json/order.ts";
import { parseJson } from "../json/parseJson.ts";
import { pointerStep } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";

type Operation = { readonly op: "add" | "remove" | "replace"; readonly path: string; readonly value: number };

const UNSURE: unique symbol = Symbol("unsure");
const NONE = -1;

/**
 * What `diffDocuments` finds between the members `base` and `new` of an object, as JSON text made of parts of theirs:
 * nothing is parsed but what differs in its spelling alone. Undefined where only parsing can tell.
 */
export function diffText(bytes: Buffer, from: number, to: number): string | undefined {
	const tape = jsonTape(bytes, from, to);
	if (tape === undefined || kindOf(tape, 0) !== OBJECT) return undefined;
	try {
		const base = memberNamed(tape, "base");
		const next = memberNamed(tape, "new");
		if (base === NONE || next === NONE) return undefined;
		const operations: Operation[] = [];
		if (!sameBytes(tape, base, next)) compare(tape, base, next, "", operations);
		operations.sort((a, b) => byCodePoint(a.path, b.path));
		let text = "";
		for (const operation of operations) text += text === "" ? textOf(tape, operation) : `,${textOf(tape, operation)}`;
		return `[${text}]`;
	} catch (error) {
		if (error === UNSURE) return undefined;
		throw error;
	}
}

/** The value of the outermost object's member of that name. */
function memberNamed(tape: JsonTape, name: string): number {
	mustBePlain(tape, 0);
	const end = tape.values[NEXT] ?? 0;
	for (let at = SIZE; at < end; at = nextMember(tape, at)) if (nameOf(tape, at) === name) return at + SIZE;
	return NONE;
}

/** Notes how values whose bytes differ differ. */
function compare(tape: JsonTape, from: number, to: number, path: string, operations: Operation[]): void {
	if (kindOf(tape, from) !== OBJECT || kindOf(tape, to) !== OBJECT) {
		if (!equal(tape, from, to)) operations.push({ op: "replace", path, value: to });
		return;
	}
	mustBePlain(tape, from);
	mustBePlain(tape, to);
	const fromEnd = tape.values[from + NEXT] ?? 0;
	const toEnd = tape.values[to + NEXT] ?? 0;
	let near = to + SIZE;
	for (let name = from + SIZE; name < fromEnd; name = nextMember(tape, name)) {
		const twin = find(tape, name, to, near);
		if (twin === NONE) operations.push({ op: "remove", path: pathOf(tape, path, name), value: NONE });
		else {
			near = nextMember(tape, twin);
			if (!sameBytes(tape, name + SIZE, twin + SIZE))
				compare(tape, name + SIZE, twin + SIZE, pathOf(tape, path, name), operations);
		}
	}
	near = from + SIZE;
	for (let name = to + SIZE; name < toEnd; name = nextMember(tape, name)) {
		const twin = find(tape, name, from, near);
		if (twin === NONE) operations.push({ op: "add", path: pathOf(tape, path, name), value: name + SIZE });
		else near = nextMember(tape, twin);
	}
}

/** Equality of values whose bytes differ. */
function equal(tape: JsonTape, a: number, b: number): boolean {
	const kind = kindOf(tape, a);
	if (kind !== kindOf(tape, b)) return false;
	switch (kind) {
		case OBJECT:
			return equalObjects(tape, a, b);
		case ARRAY:
			return equalArrays(tape, a, b);
		case STRING:
			return isEscaped(tape, a, b) && parsed(tape, a) === parsed(tape, b);
		case NUMBER:
			return jsonEqual(parsed(tape, a), parsed(tape, b));
		default:
			return false;
	}
}

function equalObjects(tape: JsonTape, a: number, b: number): boolean {
	const bEnd = tape.values[b + NEXT] ?? 0;
	const aEnd = tape.values[a + NEXT] ?? 0;
	mustBePlain(tape, a);
	mustBePlain(tape, b);
	let unmatched = 0;
	for (let name = b + SIZE; name < bEnd; name = nextMember(tape, name)) unmatched += 1;
	let near = b + SIZE;
	for (let name = a + SIZE; name < aEnd; name = nextMember(tape, name)) {
		const twin = find(tape, name, b, near);
		if (twin === NONE || !same(tape, name + SIZE, twin + SIZE)) return false;
		near = nextMember(tape, twin);
		unmatched -= 1;
	}
	return unmatched === 0;
}

function equalArrays(tape: JsonTape, a: number, b: number): boolean {
	const { values } = tape;
	const aEnd = values[a + NEXT] ?? 0;
	const bEnd = values[b + NEXT] ?? 0;
	let left = a + SIZE;
	let right = b + SIZE;
	while (left < aEnd && right < bEnd) {
		if (!same(tape, left, right)) return false;
		left = values[left + NEXT] ?? aEnd;
		right = values[right + NEXT] ?? bEnd;
	}
	return left === aEnd && right === bEnd;
}

function same(tape: JsonTape, a: number, b: number): boolean {
	return sameBytes(tape, a, b) || equal(tape, a, b);
}

/** The member of an object with the name of another's, looked for from `near` on: most objects keep their order. */
function find(tape: JsonTape, name: number, object: number, near: number): number {
	const end = tape.values[object + NEXT] ?? 0;
	for (let at = near; at < end; at = nextMember(tape, at)) if (sameName(tape, at, name)) return at;
	for (let at = object + SIZE; at < near; at = nextMember(tape, at)) if (sameName(tape, at, name)) return at;
	return NONE;
}

function sameName(tape: JsonTape, a: number, b: number): boolean {
	return sameBytes(tape, a, b) || (isEscaped(tape, a, b) && parsed(tape, a) === parsed(tape, b));
}

function isEscaped({ values }: JsonTape, a: number, b: number): boolean {
	return values[a + ESCAPED] === 1 || values[b + ESCAPED] === 1;
}

/** From one member's name to that of the next. */
function nextMember({ values }: JsonTape, name: number): number {
	return values[name + SIZE + NEXT] ?? 0;
}

function textOf(tape: JsonTape, { op, path, value }: Operation): string {
	const head = `{"op":"${op}","path":${JSON.stringify(path)}`;
	if (value === NONE) return `${head}}`;
	return `${head},"value":${hasRepeats(tape, value) ? stringifyJson(parsed(tape, value)) : compact(tape, value)}}`;
}

function compact(tape: JsonTape, value: number): string {
	return tape.spaced ? compactJson(sourceOf(tape, value)) : sourceOf(tape, value);
}

/** Whether some object in the value repeats a name. */
function hasRepeats(tape: JsonTape, value: number): boolean {
	const end = tape.values[value + NEXT] ?? 0;
	for (let at = value; at < end; at += SIZE)
		if (kindOf(tape, at) === OBJECT && countNames(tape, at) === REPEATED) return true;
	return false;
}

// Where a name repeats a parser keeps the last one; that is left to it, as are objects too large to look names up in.
function mustBePlain(tape: JsonTape, object: number): void {
	const count = countNames(tape, object);
	if (count === REPEATED || count > marks.length) throw UNSURE;
}

const REPEATED = -1;
// An object's names, each with a number made of its length and last byte, which tells most names apart. No object of an
// asset has as many as fit.
const names = new Int32Array(64);
const marks = new Int32Array(64);

/** How many names an object has, if they are all different. */
function countNames(tape: JsonTape, object: number): number {
	const { values, bytes } = tape;
	const end = values[object + NEXT] ?? 0;
	let count = 0;
	for (let name = object + SIZE; name < end; name = values[name + SIZE + NEXT] ?? end) {
		if (values[name + ESCAPED] === 1 || count === marks.length) return countParsedNames(tape, object);
		const last = (values[name + END] ?? 0) - 2;
		const mark = (last - (values[name] ?? 0)) * 256 + (bytes[last] ?? 0);
		for (let i = 0; i < count; i += 1) if (marks[i] === mark && sameBytes(tape, names[i] ?? 0, name)) return REPEATED;
		marks[count] = mark;
		names[count] = name;
		count += 1;
	}
	return count;
}

function countParsedNames(tape: JsonTape, object: number): number {
	const end = tape.values[object + NEXT] ?? 0;
	const met = new Set<string>();
	let count = 0;
	for (let name = object + SIZE; name < end; name = nextMember(tape, name)) {
		met.add(nameOf(tape, name));
		count += 1;
	}
	return met.size === count ? count : REPEATED;
}

// A call into native code costs about as much as comparing this many bytes here.
const NATIVE_ABOVE = 64;

function sameBytes({ bytes, values }: JsonTape, a: number, b: number): boolean {
	const start = values[a] ?? 0;
	const end = values[a + END] ?? 0;
	const other = values[b] ?? 0;
	const length = end - start;
	if (length !== (values[b + END] ?? 0) - other) return false;
	if (length > NATIVE_ABOVE) return bytes.compare(bytes, other, other + length, start, end) === 0;
	for (let i = 0; i < length; i += 1) if (bytes[start + i] !== bytes[other + i]) return false;
	return true;
}

function pathOf(tape: JsonTape, parent: string, name: number): string {
	return parent + pointerStep(nameOf(tape, name));
}

function nameOf(tape: JsonTape, name: number): string {
	return tape.values[name + ESCAPED] === 0 ? sourceOf(tape, name).slice(1, -1) : String(parsed(tape, name));
}

function sourceOf({ bytes, values }: JsonTape, value: number): string {
	return bytes.toString("utf8", values[value], values[value + END]);
}

function parsed(tape: JsonTape, value: number): JsonValue {
	return parseJson(sourceOf(tape, value));
}

const OBJECT = 0x7b;
const ARRAY = 0x5b;
const STRING = 0x22;
const NUMBER = 0x30;

/** By a value's first byte: what it opens with, 0 for all numbers, or the letter of a word. */
function kindOf({ bytes, values }: JsonTape, value: number): number {
	const first = bytes[values[value] ?? 0] ?? 0;
	return first === 0x2d || (first > 0x30 && first <= 0x39) ? NUMBER : first;
}
