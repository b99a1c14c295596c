import { DEEPEST, marksAt, openAt, TEXT, valuesAt } from "./layout";
import { findMarks } from "./marks";
import { scalarEnd } from "./scalars";

/**
 * The record of a value: its start, its end, the next record after everything inside it, and either a name's twin in
 * another object or a value's mark. A member's name is a value of its own, directly before the member's value.
 */
export const SIZE: u32 = 16;

export function startOf(value: u32): u32 {
	return TEXT + load<u32>(value);
}

export function endOf(value: u32): u32 {
	return TEXT + load<u32>(value, 4);
}

export function lengthOf(value: u32): u32 {
	return load<u32>(value, 4) - load<u32>(value);
}

export function nextOf(value: u32): u32 {
	return load<u32>(value, 8);
}

export function isObject(value: u32): bool {
	return load<u8>(startOf(value)) === 0x7b;
}

/** From one member's name to the next member's name. */
export function nextMember(name: u32): u32 {
	return nextOf(name + SIZE);
}

export function twinOf(name: u32): u32 {
	return load<u32>(name, 12);
}

export function setTwin(name: u32, twin: u32): void {
	store<u32>(name, twin, 12);
}

export function markOf(value: u32): u32 {
	return load<u32>(value, 12);
}

export function setMark(value: u32, mark: u32): void {
	store<u32>(value, mark, 12);
}

/**
 * Creates records, from `valuesAt` on, for the text's value and everything inside it. False if it is invalid JSON or
 * too deep.
 */
export function readValues(length: u32): bool {
	if (!findMarks(length)) return false;
	let mark = marksAt;
	let record = valuesAt;
	let depth: u32 = 0;
	/** The innermost open container, and the byte that closes it. */
	let inside: u32 = 0;
	let closer: u32 = 0;
	for (let at = load<u32>(mark); at < length; at = load<u32>(mark)) {
		const value = record;
		const first = <u32>load<u8>(TEXT + at);
		record += SIZE;
		mark += 4;
		store<u32>(value, at);
		if (first === 0x22) {
			store<u32>(value, load<u32>(mark) + 1, 4);
			store<u32>(value, record, 8);
			mark += 4;
		} else if (first === 0x7b || first === 0x5b) {
			if (depth === DEEPEST) return false;
			store<u32>(openAt + 4 * depth, inside);
			depth += 1;
			inside = value;
			closer = first + 2;
			if (byteAt(mark) !== closer) {
				if (first === 0x5b) continue;
				if (!readName(mark, record)) return false;
				record += SIZE;
				mark += 12;
				continue;
			}
		} else {
			const end = scalarEnd(TEXT + at);
			if (end === 0) return false;
			store<u32>(value, end - TEXT, 4);
			store<u32>(value, record, 8);
		}
		// A value has ended, or an empty container is about to.
		for (;;) {
			if (depth === 0) return load<u32>(mark) === length;
			const sign = byteAt(mark);
			mark += 4;
			if (sign === 0x2c) {
				if (closer === 0x5d) break;
				if (!readName(mark, record)) return false;
				record += SIZE;
				mark += 12;
				break;
			}
			if (sign !== closer) return false;
			store<u32>(inside, load<u32>(mark - 4) + 1, 4);
			store<u32>(inside, record, 8);
			depth -= 1;
			inside = load<u32>(openAt + 4 * depth);
			closer = depth === 0 ? 0 : <u32>load<u8>(startOf(inside)) + 2;
		}
	}
	return false;
}

function byteAt(mark: u32): u32 {
	return load<u8>(TEXT + load<u32>(mark));
}

/** Reads a member's name, whose marks are its two quotes and the colon. */
function readName(mark: u32, name: u32): bool {
	if (byteAt(mark) !== 0x22) return false;
	store<u32>(name, load<u32>(mark));
	store<u32>(name, load<u32>(mark, 4) + 1, 4);
	store<u32>(name, name + SIZE, 8);
	return byteAt(mark + 8) === 0x3a;
}
