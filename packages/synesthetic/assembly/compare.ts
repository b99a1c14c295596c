import { operationsAt, stepsAt } from "./layout";
import { isEscaped, isPlain, pairNames, sameBytes } from "./names";
import { hasExponent, sameNumber } from "./numbers";
import { isObject, nextMember, nextOf, SIZE, startOf, twinOf } from "./values";

/** The operation of a patch entry. */
export const REMOVE: u32 = 0;
export const ADD: u32 = 1;
export const REPLACE: u32 = 2;
/** Flags added to an operation: a parser must decide whether the values differ, or normalise the new value. */
const IF_DIFFERENT: u32 = 4;
const REWRITTEN: u32 = 8;

type Verdict = u32;
const EQUAL: Verdict = 0;
const DIFFERENT: Verdict = 1;
const UNDECIDED: Verdict = 2;

/** The empty path. */
export const ROOT: u32 = 0;

let steps: u32 = 0;
let operations: u32 = 0;
/** Set when an object is found that only a parser can interpret. */
let gaveUp: bool = false;

/**
 * Records how one value differs from another: operations of four numbers each (action, last step of the path, both
 * values) and steps of two (parent step, member name). Returns the number of operations, or -1 if only a parser can
 * tell.
 */
export function compareValues(from: u32, to: u32): i32 {
	steps = stepsAt;
	operations = operationsAt;
	gaveUp = false;
	if (!sameBytes(from, to)) compare(from, to, ROOT);
	return gaveUp ? -1 : <i32>((operations - operationsAt) / 16);
}

/** Compares values that are not byte-identical. */
function compare(from: u32, to: u32, path: u32): void {
	if (!isObject(from) || !isObject(to)) {
		const verdict = equality(from, to);
		if (verdict !== EQUAL) note(verdict === UNDECIDED ? REPLACE | IF_DIFFERENT : REPLACE, path, from, to);
		return;
	}
	if (!pairNames(from, to)) {
		gaveUp = true;
		return;
	}
	const fromEnd = nextOf(from);
	for (let name = from + SIZE; name < fromEnd && !gaveUp; name = nextMember(name)) {
		const twin = twinOf(name);
		if (twin === 0) note(REMOVE, stepTo(name, path), 0, 0);
		else if (!sameBytes(name + SIZE, twin + SIZE)) compare(name + SIZE, twin + SIZE, stepTo(name, path));
	}
	const toEnd = nextOf(to);
	for (let name = to + SIZE; name < toEnd; name = nextMember(name))
		if (twinOf(name) === 0) note(ADD, stepTo(name, path), 0, name + SIZE);
}

/** For values that are not byte-identical. */
function equality(a: u32, b: u32): Verdict {
	const kind = kindOf(a);
	if (kind !== kindOf(b)) return DIFFERENT;
	switch (kind) {
		case 0x7b:
			return equalityOfObjects(a, b);
		case 0x5b:
			return equalityOfArrays(a, b);
		case 0x22:
			return equalityOfStrings(a, b);
		case 0x30:
			return hasExponent(a) || hasExponent(b) ? UNDECIDED : sameNumber(a, b) ? EQUAL : DIFFERENT;
		default:
			return DIFFERENT;
	}
}

/** Strings differ at their first different byte, unless an escape is there, which can be spelt in several ways. */
function equalityOfStrings(a: u32, b: u32): Verdict {
	if (!isEscaped(a) && !isEscaped(b)) return DIFFERENT;
	let left = startOf(a);
	let right = startOf(b);
	let escapeEnd = left;
	for (; load<u8>(left) === load<u8>(right); left += 1) {
		if (load<u8>(left) === 0x5c && left >= escapeEnd) escapeEnd = left + (load<u8>(left, 1) === 0x75 ? 6 : 2);
		right += 1;
	}
	return left < escapeEnd || load<u8>(left) === 0x5c || load<u8>(right) === 0x5c ? UNDECIDED : DIFFERENT;
}

function equalityOfObjects(a: u32, b: u32): Verdict {
	if (!pairNames(a, b)) {
		gaveUp = true;
		return UNDECIDED;
	}
	let verdict = EQUAL;
	const bEnd = nextOf(b);
	for (let name = b + SIZE; name < bEnd; name = nextMember(name)) if (twinOf(name) === 0) return DIFFERENT;
	const aEnd = nextOf(a);
	for (let name = a + SIZE; name < aEnd; name = nextMember(name)) {
		const twin = twinOf(name);
		const one = twin === 0 ? DIFFERENT : verdictOn(name + SIZE, twin + SIZE);
		if (one === DIFFERENT) return DIFFERENT;
		verdict |= one;
	}
	return verdict;
}

function equalityOfArrays(a: u32, b: u32): Verdict {
	const aEnd = nextOf(a);
	const bEnd = nextOf(b);
	let verdict = EQUAL;
	let left = a + SIZE;
	let right = b + SIZE;
	for (; left < aEnd && right < bEnd; left = nextOf(left)) {
		const one = verdictOn(left, right);
		if (one === DIFFERENT) return DIFFERENT;
		verdict |= one;
		right = nextOf(right);
	}
	return left === aEnd && right === bEnd ? verdict : DIFFERENT;
}

function verdictOn(a: u32, b: u32): Verdict {
	return sameBytes(a, b) ? EQUAL : equality(a, b);
}

function note(action: u32, path: u32, from: u32, to: u32): void {
	const how = to === 0 || isPlain(to) ? action : action | REWRITTEN;
	store<u32>(operations, how);
	store<u32>(operations, path, 4);
	store<u32>(operations, from, 8);
	store<u32>(operations, to, 12);
	operations += 16;
}

function stepTo(name: u32, path: u32): u32 {
	const step = steps;
	store<u32>(step, path);
	store<u32>(step, name, 4);
	steps += 8;
	return step;
}

/** By its first byte: the opening character, `0` for all numbers, or the first letter of a literal. */
function kindOf(value: u32): u32 {
	const first = <u32>load<u8>(startOf(value));
	return first === 0x2d || first - 0x30 < 10 ? 0x30 : first;
}
