import { writeStderr } from "libmcp/command";
import { isHeir, spawnWorker } from "libmcp/early";
import { LONG_MS } from "../registry/limits.ts";
import { hostFaultCode } from "./hostFaultCode.ts";
import { SERVING_ENV, SERVING_FLAGS } from "./servingProcess.ts";

// Longer than any tool's own limit: the worker enforces those itself, and the host only replaces a worker that hangs.
const LONGEST_CALL_MS = LONG_MS + 60_000;

/** Runs the server as a worker under libmcp's host, so that the client's session survives a worker crash. */
export async function hostMcp(program: string, args: readonly string[]): Promise<void> {
	const worker = {
		command: process.execPath,
		args: [...SERVING_FLAGS, program, "mcp", "--direct", ...args],
		env: { ...SERVING_ENV, ...process.env },
	};
	// The worker starts while the host loads; a host that takes over a session already has a worker.
	const firstWorker = isHeir() ? undefined : spawnWorker(worker);
	const started = firstWorker?.catch(() => undefined);
	try {
		const { host, keepNurserySmall } = await import("libmcp/host");
		const running = host({
			...worker,
			...(firstWorker && { firstWorker }),
			name: "pairofcleats",
			opsTools: false,
			ownWorker: true,
			control: process.platform !== "win32",
			signals: true,
			errorCode: hostFaultCode,
			deadlines: { hardMs: LONGEST_CALL_MS },
			onWorkerStderr: (line) => writeStderr(`${line}\n`),
		});
		keepNurserySmall();
		await running.closed;
	} catch (error) {
		await (await started)?.custody.end();
		throw error;
	}
}
