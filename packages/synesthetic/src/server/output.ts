import { writeSync } from "node:fs";
import { guardStdout } from "libmcp/serve";
import { isPipe } from "./isPipe.ts";

const STDOUT = 1;

/**
 * Reserves stdout for answers. While the pipe has room, bytes are written to the descriptor directly, since the stream
 * doubles the cost of writing.
 */
export function openOutput(): (bytes: string | Buffer) => void {
	const { stdout } = process;
	const guarded = guardStdout();
	const past = isPipe(STDOUT);
	return (bytes) => {
		// What waits in the stream goes first.
		const written = past && stdout.writableLength === 0 && !stdout.destroyed ? writeNow(bytes) : 0;
		if (written === 0) guarded.write(bytes);
		else if (written < Buffer.byteLength(bytes)) guarded.write(restOf(bytes, written));
	};
}

/** How many bytes went. A pipe that is full or gone is left to the stream. */
function writeNow(bytes: string | Buffer): number {
	try {
		return typeof bytes === "string" ? writeSync(STDOUT, bytes) : writeSync(STDOUT, bytes);
	} catch {
		return 0;
	}
}

function restOf(bytes: string | Buffer, written: number): Buffer {
	return (typeof bytes === "string" ? Buffer.from(bytes) : bytes).subarray(written);
}
