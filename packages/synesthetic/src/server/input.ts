import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Desk } from "./desk.ts";

/** Standard input, on its way to the desk. */
export function openInput(desk: Desk): Readable {
	if (!isPipe()) return process.stdin.on("data", (chunk: Buffer) => desk.push(chunk));
	const callback = (bytes: number): boolean => {
		desk.filled(bytes);
		return true;
	};
	// The stream made for `process.stdin` would allocate for every read.
	return new Socket({ fd: 0, readable: true, writable: false, onread: { buffer: () => desk.room(), callback } });
}

function isPipe(): boolean {
	const stat = fstatSync(0);
	return process.platform !== "win32" && (stat.isFIFO() || stat.isSocket());
}
