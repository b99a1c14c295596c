// Where things lie in the module's memory: each behind the one before, with room for all that the text can hold.

/** What schemas ask, for as long as the module lives. */
export const RULES: u32 = 1 << 16;
export const RULES_END: u32 = RULES + (1 << 20);
export const TEXT: u32 = RULES_END;
/** Behind the text lies as much white space. */
export const MARGIN: u32 = 64;
/** How deep values may lie in one another. */
export const DEEPEST: u32 = 1_024;

/** The offset of each mark, and one that ends them. */
export let marksAt: u32 = 0;
/** The containers that are open. */
export let openAt: u32 = 0;
export let valuesAt: u32 = 0;
/** Slots for names. */
export let slotsAt: u32 = 0;
/** Steps to members. */
export let stepsAt: u32 = 0;
export let operationsAt: u32 = 0;
/** The order of few operations, the paths of these, and the result that holds the patch they make. */
export let orderAt: u32 = 0;
export let pathsAt: u32 = 0;
export let resultAt: u32 = 0;
/** They are sorted by putting each in its place; of more the caller makes a patch. */
export const MOST_ORDERED: u32 = 64;
/** An operation in its place: the first byte of its path, the byte behind it, the operation. */
export const ENTRY: u32 = 12;
export const PATHS_ROOM: u32 = 1 << 14;
/** More than an operation takes beside its path and its value, and a result beside its operations. */
const SIGNS: u32 = 64;

/** Makes room for a text of that length. What is not written to takes no memory; what is too much is refused. */
export function reserve(length: u32): bool {
	// No value takes less than two bytes of text, but for containers in one another; no member less than five.
	const values = length / 2 + DEEPEST + 1;
	const members = length / 5 + 1;
	marksAt = TEXT + ((length + 15) & ~15) + MARGIN;
	openAt = marksAt + 4 * (length + MARGIN);
	valuesAt = openAt + 4 * DEEPEST;
	slotsAt = valuesAt + 16 * values;
	stepsAt = slotsAt + 4 * (4 * members + 4);
	operationsAt = stepsAt + 8 * members;
	orderAt = operationsAt + 16 * (members + 1);
	pathsAt = orderAt + MOST_ORDERED * ENTRY;
	resultAt = pathsAt + PATHS_ROOM;
	// No value is in a patch twice.
	const end = resultAt + PATHS_ROOM + (MOST_ORDERED + 1) * SIGNS + length;
	const missing = <i32>(end >> 16) + 1 - memory.size();
	return missing <= 0 || memory.grow(missing) >= 0;
}
