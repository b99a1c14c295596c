import { writeSync } from "node:fs";
import { guardStdout } from "libmcp/serve";
import { isPipe } from "./isPipe.ts";

const STDOUT = 1;

/**
 * Reserves stdout for answers. While the pipe has room, bytes are written to the descriptor directly, since the stream
 * doubles the cost of writing. They may be changed afterwards: the stream is given a copy.
 */
export function openOutput(): (bytes: Buffer) => void {
	const { stdout } = process;
	const guarded = guardStdout();
	const past = isPipe(STDOUT);
	return (bytes) => {
		// What waits in the stream goes first.
		const written = past && stdout.writableLength === 0 && !stdout.destroyed ? writeNow(bytes) : 0;
		if (written < bytes.length) guarded.write(Buffer.from(bytes.subarray(written)));
	};
}

/** How many bytes went. A pipe that is full or gone is left to the stream. */
function writeNow(bytes: Buffer): number {
	try {
		return writeSync(STDOUT, bytes);
	} catch {
		return 0;
	}
}
