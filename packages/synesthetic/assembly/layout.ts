// The memory layout: each area follows the previous one and has room for everything the text can contain.

/** Compiled schemas, kept as long as the module lives. */
export const RULES: u32 = 1 << 16;
export const RULES_END: u32 = RULES + (1 << 20);
export const TEXT: u32 = RULES_END;
/** Bytes of whitespace after the text, so that reading past its end is safe. */
export const MARGIN: u32 = 64;
/** Maximum nesting depth. */
export const DEEPEST: u32 = 1_024;

/** The offset after each string. */
export let stringsAt: u32 = 0;
/** The stack of open containers. */
export let openAt: u32 = 0;
export let valuesAt: u32 = 0;
/** Hash slots for names. */
export let slotsAt: u32 = 0;
/** Steps of paths. */
export let stepsAt: u32 = 0;
export let operationsAt: u32 = 0;
/** The sorted operations, their paths, and the result. */
export let orderAt: u32 = 0;
export let pathsAt: u32 = 0;
export let resultAt: u32 = 0;
/** Insertion sort is used up to this many operations; for more, the caller builds the patch. */
export const MOST_ORDERED: u32 = 64;
/** A sorted operation: start and end of its path, and the operation. */
export const ENTRY: u32 = 12;
export const PATHS_ROOM: u32 = 1 << 14;
/** Upper bound for the punctuation of one operation, and of the result. */
const SIGNS: u32 = 64;

/** Reserves memory for a text of that length; false if there is not enough. Untouched memory costs nothing. */
export function reserve(length: u32): bool {
	// A string, like any value but nested containers, takes at least two bytes of text; a member takes at least five.
	const values = length / 2 + DEEPEST + 1;
	const members = length / 5 + 1;
	stringsAt = TEXT + ((length + 15) & ~15) + MARGIN;
	openAt = stringsAt + 4 * (length / 2 + 1);
	valuesAt = openAt + 4 * DEEPEST;
	slotsAt = valuesAt + 16 * values;
	stepsAt = slotsAt + 4 * (4 * members + 4);
	operationsAt = stepsAt + 8 * members;
	orderAt = operationsAt + 16 * (members + 1);
	pathsAt = orderAt + MOST_ORDERED * ENTRY;
	resultAt = pathsAt + PATHS_ROOM;
	// No value occurs in a patch twice.
	const end = resultAt + PATHS_ROOM + (MOST_ORDERED + 1) * SIGNS + length;
	const missing = <i32>(end >> 16) + 1 - memory.size();
	return missing <= 0 || memory.grow(missing) >= 0;
}
