import { graceOf, type KillFailure, type KillOptions, type KillResult, type KillTarget } from "./killResult.ts";
import { killPosixTree } from "./posixKill.ts";
import { killWindowsTree } from "./windowsKill.ts";
import { writeStderr } from "./writeStderr.ts";

/** Ends a process and everything it started. Does not throw when a process survives; the result says so. */
export async function killTree(target: KillTarget, options: KillOptions = {}): Promise<KillResult> {
	const grace = graceOf(options);
	if (!Number.isInteger(target.pid) || target.pid <= 1) {
		throw new RangeError(`pid: expected the id of a process that was spawned, got ${String(target.pid)}`);
	}
	return process.platform === "win32" ? killWindowsTree(target) : killPosixTree(target, grace);
}

/** Prints one line on stderr, for readers without telemetry. */
export function reportKillFailure(failure: KillFailure, write: (line: string) => void = writeStderr): void {
	write(
		`libmcp: could not end process tree ${failure.pid}: ${failure.code}: ${failure.detail.replaceAll("\n", " ")}\n`,
	);
}
