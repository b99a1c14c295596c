import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Desk } from "./desk.ts";
import { isPipe } from "./isPipe.ts";

const STDIN = 0;

/** Standard input, on its way to the desk. */
export function openInput(desk: Desk): Readable {
	if (!isPipe(STDIN)) return process.stdin.on("data", (chunk: Buffer) => desk.push(chunk));
	const callback = (bytes: number): boolean => {
		desk.filled(bytes);
		return true;
	};
	// The stream made for `process.stdin` would allocate for every read.
	return new Socket({ fd: STDIN, readable: true, writable: false, onread: { buffer: () => desk.room(), callback } });
}
