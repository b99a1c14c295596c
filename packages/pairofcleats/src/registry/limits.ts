/** How long a tool may run, by the kind of its work. */
export const SHORT_MS = 120_000;
export const MIDDLE_MS = 300_000;
export const LONG_MS = 600_000;
