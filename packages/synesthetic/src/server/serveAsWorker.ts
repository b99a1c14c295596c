import { readSync, writeSync } from "node:fs";
import type { Settings } from "../settings.ts";
import { Desk } from "./desk.ts";
import { LineBuffer } from "./lineBuffer.ts";
import { LocalClerk } from "./localClerk.ts";
import { openAssets } from "./openAssets.ts";

/**
 * Serves the host that started this process, until it closes our input. Reading and writing block: a worker has nothing
 * else to do meanwhile, and they cost half of what streams do.
 */
export async function serveAsWorker(settings: Settings): Promise<number> {
	// stdout belongs to the host: anything else that prints goes to stderr.
	Object.defineProperty(process, "stdout", { get: () => process.stderr });
	const output = new LineBuffer(writeAll);
	const clerk = new LocalClerk(openAssets(settings), (line) => output.write(line), { hosted: true });
	const desk = new Desk(clerk, (line) => output.write(line), { pause: () => {}, resume: () => {} });
	for (let bytes = read(desk.room()); bytes > 0; bytes = read(desk.room())) {
		desk.filled(bytes);
		output.flush();
		if (desk.busy && !(await finished(desk))) break;
		output.flush();
	}
	await desk.end();
	output.flush();
	return 0;
}

/** Waits for an answer that takes time; false when the process is told to end meanwhile. */
async function finished(desk: Desk): Promise<boolean> {
	let told = false;
	const note = (): void => {
		told = true;
	};
	process.on("SIGTERM", note);
	await desk.settled();
	process.off("SIGTERM", note);
	return !told;
}

function read(room: Buffer): number {
	for (;;) {
		try {
			return readSync(0, room);
		} catch (error) {
			switch (codeOf(error)) {
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
			if (codeOf(error) !== "EAGAIN") throw error;
			pause();
		}
	}
}

// Only needed when the worker is started by hand with non-blocking descriptors.
function pause(): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}
