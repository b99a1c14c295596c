/** What is still open then keeps nobody any longer. */
const LAST_RESORT_MS = 100;

/**
 * Ends this process once nothing is left to do, or a moment later. `process.exit` in the midst of work can wait for a
 * thread that compiles, which waits for a collection on this very thread, and then nothing ends; a loop that runs dry
 * lets both finish.
 */
export function endProcess(code: number = 0): void {
	process.exitCode = code;
	// A client that did not close its end would keep us.
	process.stdin.destroy();
	setTimeout(() => process.exit(), LAST_RESORT_MS).unref();
}
