import { DEEPEST, openAt, stringsAt, TEXT, valuesAt } from "./layout";
import { scalarEnd } from "./scalars";
import { findStrings } from "./strings";

const QUOTE: u32 = 0x22;
const COMMA: u32 = 0x2c;
const COLON: u32 = 0x3a;
const OPENING_BRACKET: u32 = 0x5b;
const OPENING_BRACE: u32 = 0x7b;
const CLOSING_BRACE: u32 = 0x7d;
/** From an opening brace or bracket to the closing one. */
const TO_CLOSER: u32 = 2;

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
	return load<u8>(startOf(value)) === OPENING_BRACE;
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
	if (!findStrings(length)) return false;
	let at: u32 = 0;
	/** Where the end of the next string is noted. */
	let string = stringsAt;
	let record = valuesAt;
	let depth: u32 = 0;
	/** The innermost open container, and the byte that closes it. */
	let inside: u32 = 0;
	let closer: u32 = 0;
	while (at < length) {
		at = tokenFrom(at, length);
		// A member's name.
		if (closer === CLOSING_BRACE) {
			if (byteAt(at) !== QUOTE) return false;
			store<u32>(record, at);
			at = load<u32>(string);
			string += 4;
			store<u32>(record, at, 4);
			store<u32>(record, record + SIZE, 8);
			record += SIZE;
			at = tokenFrom(at, length);
			if (byteAt(at) !== COLON) return false;
			at = tokenFrom(at + 1, length);
		}
		const value = record;
		const first = byteAt(at);
		record += SIZE;
		store<u32>(value, at);
		if (first === QUOTE) {
			at = load<u32>(string);
			string += 4;
			store<u32>(value, at, 4);
			store<u32>(value, record, 8);
		} else if (first === OPENING_BRACE || first === OPENING_BRACKET) {
			if (depth === DEEPEST) return false;
			store<u32>(openAt + 4 * depth, inside);
			depth += 1;
			inside = value;
			closer = first + TO_CLOSER;
			at = tokenFrom(at + 1, length);
			if (byteAt(at) !== closer) continue;
		} else {
			const end = scalarEnd(TEXT + at);
			if (end === 0) return false;
			at = end - TEXT;
			store<u32>(value, at, 4);
			store<u32>(value, record, 8);
		}
		// A value has ended, or an empty container is about to.
		for (;;) {
			at = tokenFrom(at, length);
			if (depth === 0) return at >= length;
			const sign = byteAt(at);
			at += 1;
			if (sign === COMMA) break;
			if (sign !== closer) return false;
			store<u32>(inside, at, 4);
			store<u32>(inside, record, 8);
			depth -= 1;
			inside = load<u32>(openAt + 4 * depth);
			closer = depth === 0 ? 0 : byteAt(load<u32>(inside)) + TO_CLOSER;
		}
	}
	return false;
}

function byteAt(at: u32): u32 {
	return load<u8>(at, TEXT);
}

/** The first offset from here on without white space; the text's length if there is none. */
function tokenFrom(from: u32, length: u32): u32 {
	return byteAt(from) > 0x20 ? from : afterSpace(from, length);
}

function afterSpace(from: u32, length: u32): u32 {
	for (let at = from; at < length; at += 16) {
		const rest = i8x16.bitmask(i8x16.gt_u(v128.load(at, TEXT), i8x16.splat(0x20)));
		if (rest !== 0) return at + <u32>ctz(rest);
	}
	return length;
}
