// Where things lie in the module's memory. Each has room for all that the largest text can hold.

export const MOST_BYTES: u32 = 1 << 20;
export const TEXT: u32 = 1 << 16;
/** Behind the text lies as much white space. */
export const MARGIN: u32 = 64;

/** The offset of each mark, and one that ends them. */
export const MARKS: u32 = TEXT + MOST_BYTES + MARGIN;
const MOST_MARKS: u32 = MOST_BYTES + MARGIN;

/** How deep values may lie in one another, and the containers that are open. */
export const DEEPEST: u32 = 1_024;
export const OPEN: u32 = MARKS + 4 * MOST_MARKS;

/** No value takes less than two bytes of text, but for containers in one another. */
export const VALUES: u32 = OPEN + 4 * DEEPEST;
const MOST_VALUES: u32 = MOST_BYTES / 2 + DEEPEST;

/** No member takes less than five bytes; half of the slots stay empty. */
export const SLOTS: u32 = VALUES + 16 * MOST_VALUES;
const MOST_SLOTS: u32 = 1 << 19;

/** A step to a member, and an operation, at most for every member. */
const MOST_MEMBERS: u32 = MOST_BYTES / 5 + 1;
export const STEPS: u32 = SLOTS + 4 * MOST_SLOTS;
export const OPERATIONS: u32 = STEPS + 8 * MOST_MEMBERS;
export const END: u32 = OPERATIONS + 16 * MOST_MEMBERS;
