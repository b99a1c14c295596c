import { readSync, writeSync } from "node:fs";
import { errorCode } from "libmcp/command";
import { Assets } from "../../assets.ts";
import { createBackendUrl } from "../../backend/populateBackend.ts";
import type { Settings } from "../../settings.ts";
import { InProcessHandler } from "../dispatch/inProcessHandler.ts";
import { LineBuffer, logLine } from "../frontEnd/lines.ts";
import { StdioFrontEnd } from "../frontEnd/stdioFrontEnd.ts";

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

/** Reads all files, and logs the ones it skipped and an address that no asset can be sent to. */
export function openAssets(settings: Settings): Assets {
	const assets = new Assets(settings);
	for (const { path, reason } of assets.catalog.skipped)
		logLine(`skipped path=${JSON.stringify(path)} reason=${JSON.stringify(reason)}`);
	const { backendUrl: address, backendAssetsPath } = settings;
	if (address !== undefined && createBackendUrl(address, backendAssetsPath) === undefined)
		logLine("SYN_BACKEND_URL: expected an http or https address; populate_backend cannot reach a backend");
	return assets;
}
