import { readSync, writeSync } from "node:fs";
import { errorCode } from "libmcp/command";
import type { Settings } from "../settings.ts";
import { InProcessHandler } from "./inProcessHandler.ts";
import { LineBuffer } from "./lineBuffer.ts";
import { openAssets } from "./openAssets.ts";
import { StdioFrontEnd } from "./stdioFrontEnd.ts";

/**
 * Serves the host that started this process, until the host closes stdin. Reads and writes block: a worker has nothing
 * else to do, and blocking calls cost half as much as streams.
 */
export async function serveAsWorker(settings: Settings): Promise<number> {
	// stdout belongs to the host: anything else that prints goes to stderr.
	Object.defineProperty(process, "stdout", { get: () => process.stderr });
	const output = new LineBuffer(writeAll);
	const handler = new InProcessHandler(openAssets(settings), (line) => output.write(line), { hosted: true });
	const frontEnd = new StdioFrontEnd(handler, (line) => output.write(line), { pause: () => {}, resume: () => {} });
	for (let bytes = read(frontEnd.room()); bytes > 0; bytes = read(frontEnd.room())) {
		frontEnd.filled(bytes);
		output.flush();
		if (frontEnd.busy && !(await finished(frontEnd))) break;
		output.flush();
	}
	await frontEnd.end();
	output.flush();
	return 0;
}

/** Waits for the answers under way; false if SIGTERM arrives meanwhile. */
async function finished(frontEnd: StdioFrontEnd): Promise<boolean> {
	let told = false;
	const note = (): void => {
		told = true;
	};
	process.on("SIGTERM", note);
	await frontEnd.settled();
	process.off("SIGTERM", note);
	return !told;
}

function read(room: Buffer): number {
	for (;;) {
		try {
			return readSync(0, room);
		} catch (error) {
			switch (errorCode(error)) {
				case "EOF":
					return 0;
				case "EINTR":
					break;
				case "EAGAIN":
					pause();
					break;
				default:
					throw error;
			}
		}
	}
}

function writeAll(bytes: Buffer): void {
	let rest = bytes;
	while (rest.length > 0) {
		try {
			rest = rest.subarray(writeSync(1, rest));
		} catch (error) {
			if (errorCode(error) !== "EAGAIN") throw error;
			pause();
		}
	}
}

// Only needed when the worker is started by hand with non-blocking descriptors.
function pause(): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
