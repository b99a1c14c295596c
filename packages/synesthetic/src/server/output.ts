import { writeSync } from "node:fs";
import { guardStdout } from "libmcp/serve";
import { isPipe } from "./isPipe.ts";

const STDOUT = 1;

/**
 * Reserves stdout for answers. While the pipe has room, bytes are written to the descriptor directly, since the stream
 * doubles the cost of writing. The caller may overwrite the bytes afterwards: the stream gets a copy.
 */
export function openOutput(): (bytes: Buffer) => void {
	const { stdout } = process;
	const guarded = guardStdout();
	const past = isPipe(STDOUT);
	return (bytes) => {
		// Bytes that wait in the stream must go first.
		const written = past && stdout.writableLength === 0 && !stdout.destroyed ? writeNow(bytes) : 0;
		if (written < bytes.length) guarded.write(Buffer.from(bytes.subarray(written)));
	};
}

/** Returns how many bytes were written. If the pipe is full or closed, the stream deals with it. */
function writeNow(bytes: Buffer): number {
	try {
		return writeSync(STDOUT, bytes);
	} catch {
		return 0;
	}
}
