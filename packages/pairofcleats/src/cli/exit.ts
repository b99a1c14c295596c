/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, noIndex: 3, nothingFound: 4, cancelled: 130 } as const;
