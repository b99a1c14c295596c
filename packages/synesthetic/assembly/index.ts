import { compareValues } from "./compare";
import * as layout from "./layout";
import { isSpaced } from "./marks";
import { hasPlainNames } from "./names";
import { lengthOf, nextMember, nextOf, readValues, SIZE, startOf } from "./values";

export { reserve } from "./layout";
export { setSeed } from "./names";

/** Where the text is put once there is room for it. */
export function textAt(): u32 {
	return layout.TEXT;
}

export function operationsAt(): u32 {
	return layout.operationsAt;
}

/** Whether white space lies between the values of the text that was read last. */
export function spaced(): bool {
	return isSpaced;
}

/** Compares the members `base` and `new` of the object that the text is: see `compareValues`. -1 for all other texts. */
export function diff(length: u32): i32 {
	const root = layout.valuesAt;
	if (!readValues(length) || load<u8>(startOf(root)) !== 0x7b || !hasPlainNames(root)) return -1;
	let base: u32 = 0;
	let next: u32 = 0;
	const end = nextOf(root);
	for (let name = root + SIZE; name < end; name = nextMember(name)) {
		// Four letters are read as one number, the first of them its lowest byte: `base`, and `"new`.
		if (lengthOf(name) === 6 && load<u32>(startOf(name) + 1) === 0x65736162) base = name + SIZE;
		if (lengthOf(name) === 5 && load<u32>(startOf(name)) === 0x77656e22) next = name + SIZE;
	}
	return base === 0 || next === 0 ? -1 : compareValues(base, next);
}
