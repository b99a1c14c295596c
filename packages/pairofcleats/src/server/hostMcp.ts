import { host } from "libmcp/host";

// Longer than any tool's own limit: the worker ends its calls, the host only a worker that does not.
const LONGEST_CALL_MS = 660_000;

/** Runs the server as a worker under libmcp's host, so that the client's session outlives it. */
export async function hostMcp(program: string, args: readonly string[]): Promise<void> {
	const running = host({
		command: process.execPath,
		args: [program, "mcp", "--direct", ...args],
		name: "pairofcleats",
		opsTools: false,
		control: true,
		signals: true,
		deadlines: { hardMs: LONGEST_CALL_MS },
		onWorkerStderr: (line) => void process.stderr.write(`${line}\n`),
	});
	await running.closed;
}
