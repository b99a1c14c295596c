import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isPipe } from "./isPipe.ts";
import type { StdioFrontEnd } from "./stdioFrontEnd.ts";

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
