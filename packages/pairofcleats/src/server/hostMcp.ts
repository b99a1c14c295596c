import { writeStderr } from "libmcp/command";
import { isHeir, spawnWorker } from "libmcp/early";
import type { HostOptions } from "libmcp/host";
import type { ErrorCode } from "../contract/errors.ts";
import { LONG_MS } from "../registry/tool.ts";

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
			errorCode: readHostFaultCode,
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

/**
 * A large young generation stays resident, up to a third of a serving process, without measurable gain. Blocks read from
 * an index are outside V8's heap, so by default it lets up to 50 MB of them await collection.
 */
export const SERVING_FLAGS: readonly string[] = ["--max-semi-space-size=8", "--heap-growing-percent=60"];

/**
 * glibc settings that return freed memory to the system and allocate blocks of 32 kB and more, as read from an index,
 * outside the heap; fragmentation cost up to a fifth of a serving process. Other C libraries ignore them.
 */
export const SERVING_ENV: Readonly<Record<string, string>> = {
	MALLOC_MMAP_THRESHOLD_: "32768",
	MALLOC_TRIM_THRESHOLD_: "1048576",
};

type HostFault = Parameters<NonNullable<HostOptions["errorCode"]>>[0];

/** The code of the table for a failure that the host reports in the worker's place. */
export function readHostFaultCode({ code, class: kind }: HostFault): ErrorCode {
	return CODES[code] ?? (kind === "timeout" ? "TOOL_TIMEOUT" : "INTERNAL");
}

const CODES: Readonly<Record<string, ErrorCode>> = {
	bad_json: "INVALID_REQUEST",
	bad_envelope: "INVALID_REQUEST",
	duplicate_id: "INVALID_REQUEST",
	frame_too_large: "INVALID_REQUEST",
	queue_overloaded: "QUEUE_OVERLOADED",
};
