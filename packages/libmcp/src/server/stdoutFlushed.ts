import { Writable } from "node:stream";

/** When the reader of stdout has everything, cannot have it any more, or has had its time. */
export function stdoutFlushed(withinMs?: number): Promise<void> {
	const { stdout } = process;
	return new Promise((resolve) => {
		if (stdout.writableLength === 0 || stdout.destroyed) return resolve();
		// Of a little that is held no drain tells. Not by its own `write`, which may be somebody's guard.
		Writable.prototype.write.call(stdout, "", "utf8", () => resolve());
		stdout.once("error", () => resolve());
		if (withinMs !== undefined) setTimeout(resolve, withinMs);
	});
}
