import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { errorCode } from "../../fault/errorCode.ts";

/** Whether the other end of a stream is closed. False where only a write could tell: for pipes, except on Linux. */
export function hasNoReader(fd: number): boolean {
	try {
		// An empty write sends nothing, but a socket whose other end is closed refuses even that.
		writeSync(fd, "");
		// A pipe accepts the empty write, but without a reader it cannot be opened for writing.
		if (process.platform === "linux" && fstatSync(fd).isFIFO())
			closeSync(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
		return false;
	} catch (error) {
		const code = errorCode(error);
		return code === "EPIPE" || code === "ENXIO";
	}
}
