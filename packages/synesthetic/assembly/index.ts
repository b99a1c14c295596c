import { compareValues } from "./compare";
import { composeResult } from "./compose";
import * as layout from "./layout";
import { isSpaced } from "./marks";
import { hasPlainNames, isPlain } from "./names";
import { isObject, lengthOf, nextMember, nextOf, readValues, SIZE, startOf } from "./values";

export { findDoubts } from "./doubts";
export { reserve } from "./layout";
export { setSeed } from "./names";
export { placeOf, surelyMeets } from "./rules";

/** Where the text is put once there is room for it. */
export function textAt(): u32 {
	return layout.TEXT;
}

/** Where rules are put, and where they must end. */
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

/** Whether white space lies between the values of the text that was read last. */
export function spaced(): bool {
	return isSpaced;
}

/** Reads a text. Whether it is an object that says what it seems to: all its names differ, and none holds an escape. */
export function read(length: u32): bool {
	return readValues(length) && isObject(layout.valuesAt) && hasPlainNames(layout.valuesAt);
}

/** Whether the same holds of every object inside. */
export function plain(): bool {
	return isPlain(layout.valuesAt);
}

/** The member with that name of the object that was read: the name's bytes with its quotes, eight at most, the first lowest. */
export function member(name: u64, length: u32): u32 {
	const root = layout.valuesAt;
	const end = nextOf(root);
	const others = 64 - 8 * length;
	for (let at = root + SIZE; at < end; at = nextMember(at))
		if (lengthOf(at) === length && (load<u64>(startOf(at)) << others) >> others === name) return at + SIZE;
	return 0;
}

/** How one value of the text differs from another: see `compareValues`. */
export function compare(from: u32, to: u32): i32 {
	return compareValues(from, to);
}

/** The result those operations make: see `composeResult`. */
export function compose(count: u32): u32 {
	return composeResult(count);
}
