/** What the command's exit code says. */
export const EXIT = { valid: 0, invalid: 1, unreadable: 2 } as const;
