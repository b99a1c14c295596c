import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { guardStdout } from "libmcp/serve";
import type { StdioFrontEnd } from "../frontEnd/stdioFrontEnd.ts";

const STDIN = 0;

/** Opens stdin and feeds what it reads to the front end. */
export function openInput(frontEnd: StdioFrontEnd): Readable {
	if (!isPipe(STDIN)) return process.stdin.on("data", (chunk: Buffer) => frontEnd.push(chunk));
	const callback = (bytes: number): boolean => {
		frontEnd.filled(bytes);
		return true;
	};
	// `process.stdin` would allocate a buffer for every read.
	return new Socket({
		fd: STDIN,
		readable: true,
		writable: false,
		onread: { buffer: () => frontEnd.room(), callback },
	});
}

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

/** Whether a descriptor is a pipe or socket that can be read and written directly, without its stream. */
function isPipe(descriptor: number): boolean {
	const stat = fstatSync(descriptor);
	return process.platform !== "win32" && (stat.isFIFO() || stat.isSocket());
}
