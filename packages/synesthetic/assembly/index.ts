import { compareValues } from "./compare";
import { isSpaced } from "./marks";
import { END, MOST_BYTES, OPERATIONS, TEXT, VALUES } from "./memory";
import { hasPlainNames } from "./names";
import { lengthOf, nextMember, nextOf, readValues, SIZE, startOf } from "./values";

export { setSeed } from "./names";

// What is not used takes no memory.
memory.grow((END >> 16) + 1 - memory.size());

/** Where the text is put, how long it may be, and where operations lie. */
export function textAt(): u32 {
	return TEXT;
}

export function mostBytes(): u32 {
	return MOST_BYTES;
}

export function operationsAt(): u32 {
	return OPERATIONS;
}

/** Whether white space lies between the values of the text that was read last. */
export function spaced(): bool {
	return isSpaced;
}

/** Compares the members `base` and `new` of the object that the text is: see `compareValues`. -1 for all other texts. */
export function diff(length: u32): i32 {
	if (!readValues(length) || load<u8>(startOf(VALUES)) !== 0x7b || !hasPlainNames(VALUES)) return -1;
	let base: u32 = 0;
	let next: u32 = 0;
	const end = nextOf(VALUES);
	for (let name = VALUES + SIZE; name < end; name = nextMember(name)) {
		// Four letters are read as one number, the first of them its lowest byte: `base`, and `"new`.
		if (lengthOf(name) === 6 && load<u32>(startOf(name) + 1) === 0x65736162) base = name + SIZE;
		if (lengthOf(name) === 5 && load<u32>(startOf(name)) === 0x77656e22) next = name + SIZE;
	}
	return base === 0 || next === 0 ? -1 : compareValues(base, next);
}
