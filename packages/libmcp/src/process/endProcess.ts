/** Handles still open after this time no longer keep the process alive. */
const LAST_RESORT_MS = 100;

/**
 * Ends this process once the event loop is empty, or a moment later. Calling `process.exit` in the middle of work can
 * deadlock: it waits for a compiler thread, which waits for a garbage collection on this thread. An empty event loop
 * lets both finish.
 */
export function endProcess(code: number = 0): void {
	process.exitCode = code;
	// A signal that comes now must not change how this process ends.
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
	// Otherwise a client that keeps its end open would keep this process alive.
	process.stdin.destroy();
	setTimeout(() => process.exit(), LAST_RESORT_MS).unref();
}
