/** Exit codes. */
export const EXIT = { valid: 0, invalid: 1, unreadable: 2 } as const;
