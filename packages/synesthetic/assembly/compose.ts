import { ADD, REMOVE, REPLACE, ROOT } from "./compare";
import { ENTRY, MOST_ORDERED, operationsAt, orderAt, PATHS_ROOM, pathsAt, resultAt } from "./layout";
import { isSpaced } from "./strings";
import { endOf, lengthOf, startOf } from "./values";

// The fixed texts around paths and values, each stored once with its length in front.
const TEXT_ROOM: u32 = 32;
const BEFORE_VALUE: u32 = 3;
const BEFORE_PATCH: u32 = 4;
const texts: u32 = <u32>memory.data(5 * TEXT_ROOM, 8);
keep(REMOVE, '{"op":"remove","path":"');
keep(ADD, '{"op":"add","path":"');
keep(REPLACE, '{"op":"replace","path":"');
keep(BEFORE_VALUE, '","value":');
keep(BEFORE_PATCH, '{"ok":true,"patch":[');

/**
 * Writes the result with the patch, operations ordered by path. Returns its length, or 0 if the caller must build it.
 */
export function composeResult(count: u32): u32 {
	if (isSpaced || count > MOST_ORDERED || !orderOperations(count)) return 0;
	let at = append(resultAt, BEFORE_PATCH);
	for (let index: u32 = 0; index < count; index += 1) {
		const entry = orderAt + index * ENTRY;
		const operation = load<u32>(entry, 8);
		const value = load<u32>(operation, 12);
		if (index > 0) at = sign(at, 0x2c);
		at = append(at, load<u32>(operation));
		at = copy(at, load<u32>(entry), load<u32>(entry, 4));
		at = value === 0 ? sign(at, 0x22) : copy(append(at, BEFORE_VALUE), startOf(value), endOf(value));
		at = sign(at, 0x7d);
	}
	return sign(sign(at, 0x5d), 0x7d) - resultAt;
}

/** Sorts the operations by path. False if an operation needs a parser, or the paths are too long. */
function orderOperations(count: u32): bool {
	let path = pathsAt;
	for (let index: u32 = 0; index < count; index += 1) {
		const operation = operationsAt + index * 16;
		const end = load<u32>(operation) > REPLACE ? 0 : writePath(load<u32>(operation, 4), path);
		if (end === 0) return false;
		let entry = orderAt + index * ENTRY;
		for (; entry > orderAt && isBefore(path, end, entry - ENTRY); entry -= ENTRY)
			for (let word: u32 = 0; word < ENTRY; word += 4) store<u32>(entry + word, load<u32>(entry + word - ENTRY));
		store<u32>(entry, path);
		store<u32>(entry, end, 4);
		store<u32>(entry, operation, 8);
		path = end;
	}
	return true;
}

/** Writes the JSON pointer that ends with a step. Returns its end, or 0 if there is no room. */
function writePath(step: u32, from: u32): u32 {
	if (step === ROOT) return from;
	const before = writePath(load<u32>(step), from);
	const name = load<u32>(step, 4);
	if (before === 0 || before + 2 * lengthOf(name) > pathsAt + PATHS_ROOM) return 0;
	store<u8>(before, 0x2f);
	let at = before + 1;
	const end = endOf(name) - 1;
	for (let letter = startOf(name) + 1; letter < end; letter += 1) {
		const byte = <u32>load<u8>(letter);
		const isSign = byte === 0x7e || byte === 0x2f;
		store<u8>(at, isSign ? 0x7e : byte);
		at += 1;
		if (!isSign) continue;
		store<u8>(at, byte === 0x7e ? 0x30 : 0x31);
		at += 1;
	}
	return at;
}

/** Compares UTF-8 bytes, which is the order of code points. */
function isBefore(path: u32, end: u32, entry: u32): bool {
	const other = load<u32>(entry);
	const length = end - path;
	const otherLength = load<u32>(entry, 4) - other;
	const order = memory.compare(path, other, min(length, otherLength));
	return order === 0 ? length < otherLength : order < 0;
}

function sign(at: u32, byte: u8): u32 {
	store<u8>(at, byte);
	return at + 1;
}

function append(at: u32, text: u32): u32 {
	const from = texts + text * TEXT_ROOM + 4;
	return copy(at, from, from + load<u32>(from - 4));
}

function copy(at: u32, from: u32, to: u32): u32 {
	memory.copy(at, from, to - from);
	return at + to - from;
}

function keep(text: u32, letters: string): void {
	const at = texts + text * TEXT_ROOM;
	store<u32>(at, letters.length);
	for (let index = 0; index < letters.length; index += 1) store<u8>(at + 4 + index, letters.charCodeAt(index));
}
