/** A client that asks and then closes its input, as a script does, still wants answers, even from a starting server. */
export const END_OF_INPUT_MS = 10_000;

/** SDK clients send SIGTERM two seconds after they close the pipe, and kill the process two seconds later. */
export const TOLD_MS = 1_500;
