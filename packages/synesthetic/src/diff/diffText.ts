import { jsonEqual } from "../json/jsonEqual.ts";
import { END, ESCAPED, type JsonTape, jsonTape, NEXT, SIZE } from "../json/jsonTape.ts";
import type { JsonValue } from "../json/jsonValue.ts";
import { byCodePoint } from "../json/order.ts";
import { parseJson } from "../json/parseJson.ts";
import { pointerStep } from "../json/pointer.ts";
import { stringifyJson } from "../json/stringifyJson.ts";

type Operation = { readonly op: "add" | "remove" | "replace"; readonly path: string; readonly value?: number };

const UNSURE: unique symbol = Symbol("unsure");

/**
 * What `diffDocuments` finds between the members `base` and `new` of an object, as JSON text made of parts of theirs:
 * nothing is parsed but what differs in its spelling alone. Undefined where only parsing can tell.
 */
export function diffText(bytes: Buffer, from: number, to: number): string | undefined {
	const tape = jsonTape(bytes, from, to);
	if (tape === undefined) return undefined;
	try {
		const params = membersOf(tape, 0);
		const base = params.get("base");
		const next = params.get("new");
		if (base === undefined || next === undefined) return undefined;
		const operations: Operation[] = [];
		compare(tape, base, next, "", operations);
		operations.sort((a, b) => byCodePoint(a.path, b.path));
		return `[${operations.map((operation) => textOf(tape, operation)).join(",")}]`;
	} catch (error) {
		if (error === UNSURE) return undefined;
		throw error;
	}
}

function compare(tape: JsonTape, from: number, to: number, path: string, operations: Operation[]): void {
	if (sameBytes(tape, from, to)) return;
	if (kindOf(tape, from) === OBJECT && kindOf(tape, to) === OBJECT) {
		const before = membersOf(tape, from);
		const after = membersOf(tape, to);
		for (const [name, value] of before) {
			const other = after.get(name);
			if (other === undefined) operations.push({ op: "remove", path: path + pointerStep(name) });
			else if (!sameBytes(tape, value, other)) compare(tape, value, other, path + pointerStep(name), operations);
		}
		for (const [name, value] of after)
			if (!before.has(name)) operations.push({ op: "add", path: path + pointerStep(name), value });
	} else if (!equal(tape, from, to)) operations.push({ op: "replace", path, value: to });
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
		case STRING: {
			const plain = tape.values[a + ESCAPED] === 0 && tape.values[b + ESCAPED] === 0;
			return !plain && parsed(tape, a) === parsed(tape, b);
		}
		case NUMBER:
			return jsonEqual(parsed(tape, a), parsed(tape, b));
		default:
			return false;
	}
}

function equalObjects(tape: JsonTape, a: number, b: number): boolean {
	const left = membersOf(tape, a);
	const right = membersOf(tape, b);
	if (left.size !== right.size) return false;
	for (const [name, value] of left) {
		const other = right.get(name);
		if (other === undefined || !(sameBytes(tape, value, other) || equal(tape, value, other))) return false;
	}
	return true;
}

function equalArrays(tape: JsonTape, a: number, b: number): boolean {
	const { values } = tape;
	const aEnd = values[a + NEXT] ?? 0;
	const bEnd = values[b + NEXT] ?? 0;
	let left = a + SIZE;
	let right = b + SIZE;
	while (left < aEnd && right < bEnd) {
		if (!sameBytes(tape, left, right) && !equal(tape, left, right)) return false;
		left = values[left + NEXT] ?? aEnd;
		right = values[right + NEXT] ?? bEnd;
	}
	return left === aEnd && right === bEnd;
}

/** An object's members by name. Where a name repeats a parser keeps the last one; that is left to it. */
function membersOf(tape: JsonTape, object: number): Map<string, number> {
	const { values } = tape;
	const members = new Map<string, number>();
	if (kindOf(tape, object) !== OBJECT) return members;
	const end = values[object + NEXT] ?? 0;
	for (let name = object + SIZE; name < end; name = values[name + SIZE + NEXT] ?? end) {
		const text = values[name + ESCAPED] === 0 ? sourceOf(tape, name).slice(1, -1) : String(parsed(tape, name));
		if (members.has(text)) throw UNSURE;
		members.set(text, name + SIZE);
	}
	return members;
}

function textOf(tape: JsonTape, { op, path, value }: Operation): string {
	const head = `{"op":"${op}","path":${JSON.stringify(path)}`;
	if (value === undefined) return `${head}}`;
	const asItIs = !tape.spaced && !hasRepeats(tape, value);
	return `${head},"value":${asItIs ? sourceOf(tape, value) : stringifyJson(parsed(tape, value))}}`;
}

/** Whether some object in the value repeats a name, or may: names are compared as they are spelt. */
function hasRepeats(tape: JsonTape, value: number): boolean {
	const { values } = tape;
	const end = values[value + NEXT] ?? 0;
	for (let at = value; at < end; at += SIZE) if (kindOf(tape, at) === OBJECT && repeatsName(tape, at)) return true;
	return false;
}

function repeatsName(tape: JsonTape, object: number): boolean {
	const { values, bytes } = tape;
	const end = values[object + NEXT] ?? 0;
	let count = 0;
	for (let name = object + SIZE; name < end; name = values[name + SIZE + NEXT] ?? end) {
		if (values[name + ESCAPED] === 1 || count === marks.length) return true;
		const last = (values[name + END] ?? 0) - 2;
		const mark = (last - (values[name] ?? 0)) * 256 + (bytes[last] ?? 0);
		for (let i = 0; i < count; i += 1) if (marks[i] === mark && sameBytes(tape, names[i] ?? 0, name)) return true;
		marks[count] = mark;
		names[count] = name;
		count += 1;
	}
	return false;
}

// An object's names, each with a number made of its length and last byte, which tells most names apart. No object of an
// asset has as many as fit.
const names = new Int32Array(64);
const marks = new Int32Array(64);
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
