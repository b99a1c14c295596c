import { compareValues } from "./compare";
import { composeResult } from "./compose";
import * as layout from "./layout";
import { hasPlainNames, isPlain } from "./names";
import { isSpaced } from "./strings";
import { isObject, lengthOf, nextMember, nextOf, readValues, SIZE, startOf } from "./values";

export { findDoubts } from "./doubts";
export { reserve } from "./layout";
export { setSeed } from "./names";
export { placeOf, surelyMeets } from "./rules";

/** Address of the text, after room was reserved for it. */
export function textAt(): u32 {
	return layout.TEXT;
}

/** Address of the rules, and the end of their space. */
export function rulesAt(): u32 {
	return layout.RULES;
}

export function rulesEnd(): u32 {
	return layout.RULES_END;
}

/** The object that was read. */
export function root(): u32 {
	return layout.valuesAt;
}

export function operationsAt(): u32 {
	return layout.operationsAt;
}

export function resultAt(): u32 {
	return layout.resultAt;
}

/** Whether the last text has whitespace between its values. */
export function spaced(): bool {
	return isSpaced;
}

/** Reads a text. True if it is an object whose names are unique and without escapes. */
export function read(length: u32): bool {
	return readValues(length) && isObject(layout.valuesAt) && hasPlainNames(layout.valuesAt);
}

/** Whether the same holds for every nested object. */
export function plain(): bool {
	return isPlain(layout.valuesAt);
}

/**
 * The member of the object with a name of at most eight bytes, given with its quotes in little-endian order; 0 if there
 * is none.
 */
export function member(name: u64, length: u32): u32 {
	const root = layout.valuesAt;
	const end = nextOf(root);
	const others = 64 - 8 * length;
	for (let at = root + SIZE; at < end; at = nextMember(at))
		if (lengthOf(at) === length && (load<u64>(startOf(at)) << others) >> others === name) return at + SIZE;
	return 0;
}

/** Compares two values of the text: see `compareValues`. */
export function compare(from: u32, to: u32): i32 {
	return compareValues(from, to);
}

/** Writes the result for these operations: see `composeResult`. */
export function compose(count: u32): u32 {
	return composeResult(count);
}
