import { readErrorCode } from "../fault/thrown.ts";

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

const POLL_MS = 1_000;

/**
 * Calls back once when the parent, as `parentNow` reports it, has changed, which means that it is gone. Does not keep
 * the event loop alive; the returned function stops the watch.
 */
export function watchParent(
	onOrphaned: () => void,
	pollMs: number = POLL_MS,
	parentNow: () => number | undefined = () => process.ppid,
): () => void {
	const parent = parentNow();
	const timer = setInterval(() => {
		if (parentNow() === parent) return;
		clearInterval(timer);
		onOrphaned();
	}, pollMs);
	timer.unref();
	return () => clearInterval(timer);
}

/** Writes to stderr. What cannot be written is lost. */
export function writeStderr(text: string): void {
	openStderr().write(text);
}

/** Stderr for a program that must outlive the reader of its log and a full disk. Opening it takes milliseconds. */
export function openStderr(): NodeJS.WriteStream {
	minded ??= process.stderr.on("error", () => {});
	return minded;
}

let minded: NodeJS.WriteStream | undefined;

/** Whether a process runs under this id, of this user or another. */
export function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return readErrorCode(error) === "EPERM";
	}
}

/**
 * Keeps V8's young generation at its initial size. A server makes little garbage at a time, but a grown young
 * generation stays resident: a third of the process's memory.
 */
export function keepNurserySmall(): void {
	// Loaded here, because most programs that use this module never need it.
	process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
}
