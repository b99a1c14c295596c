/** Handles that are still open after this time no longer keep the process alive. */
const LAST_RESORT_MS = 100;

/**
 * Ends this process once nothing is left to do, or a moment later. `process.exit` in the middle of work can deadlock: it
 * waits for a compiler thread, which waits for a garbage collection on this thread. An event loop that runs dry lets
 * both finish.
 */
export function endProcess(code: number = 0): void {
	process.exitCode = code;
	// A client that does not close its end would otherwise keep this process alive.
	process.stdin.destroy();
	setTimeout(() => process.exit(), LAST_RESORT_MS).unref();
}
