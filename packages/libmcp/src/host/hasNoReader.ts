import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** Whether the other end of a stream is closed. False where only the next output can tell: of a pipe, except on Linux. */
export function hasNoReader(fd: number): boolean {
	try {
		// Nothing is written; a socket whose other end is closed refuses even that.
		writeSync(fd, "");
		// A pipe does not, but nobody can open it for writing either.
		if (process.platform === "linux" && fstatSync(fd).isFIFO())
			closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
		return false;
	} catch (error) {
		return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ENXIO");
	}
}
