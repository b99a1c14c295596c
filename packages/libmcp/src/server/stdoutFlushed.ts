import { Writable } from "node:stream";

/** Resolves when the reader of stdout has everything, is gone, or the time is up. */
export function stdoutFlushed(withinMs?: number): Promise<void> {
	const { stdout } = process;
	return new Promise((resolve) => {
		if (stdout.writableLength === 0 || stdout.destroyed) return resolve();
		// No `drain` event comes for less than the high-water mark. `stdout.write` itself may be replaced by the guard.
		Writable.prototype.write.call(stdout, "", "utf8", () => resolve());
		stdout.once("error", () => resolve());
		if (withinMs !== undefined) setTimeout(resolve, withinMs);
	});
}
