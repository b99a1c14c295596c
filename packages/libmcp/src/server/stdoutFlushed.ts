import { Writable } from "node:stream";

/** Resolves when the reader of stdout has received everything or is gone, or when the time is up. */
export function stdoutFlushed(withinMs?: number): Promise<void> {
	const { stdout } = process;
	return new Promise((resolve) => {
		if (stdout.writableLength === 0 || stdout.destroyed) return resolve();
		// Below the high-water mark there is no `drain` event. The guard may have replaced `stdout.write`.
		Writable.prototype.write.call(stdout, "", "utf8", () => resolve());
		stdout.once("error", () => resolve());
		if (withinMs !== undefined) setTimeout(resolve, withinMs);
	});
}
