import { execFile } from "node:child_process";
import { type KillFailure, type KillOptions, type KillResult, type KillTarget, readGrace } from "./killResult.ts";
import { writeStderr } from "./ownProcess.ts";
import { killPosixTree } from "./posixKill.ts";

/** Ends a process and everything it started. Does not throw when a process survives; the result says so. */
export async function killTree(target: KillTarget, options: KillOptions = {}): Promise<KillResult> {
	const grace = readGrace(options);
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

export type CommandOutcome = { readonly exitCode: number | "not_started"; readonly output: string };
export type CommandRunner = (command: string, args: readonly string[]) => Promise<CommandOutcome>;

/** taskkill's exit code when the process does not exist. */
const NOT_FOUND = 128;

/** Windows has no polite signal for a console process without a window, so the tree is killed at once. */
export async function killWindowsTree(target: KillTarget, run: CommandRunner = runCommand): Promise<KillResult> {
	const { pid } = target;
	const { exitCode, output } = await run("taskkill", ["/PID", String(pid), "/T", "/F"]);
	if (exitCode === 0) {
		return { pid, outcome: "killed", ended: [{ pid, place: "leader", by: "taskkill" }], survivors: [] };
	}
	if (exitCode === NOT_FOUND) return { pid, outcome: "already_gone", ended: [], survivors: [] };
	const detail = output.trim().replace(/\s+/g, " ").slice(0, 200) || `exit code ${exitCode}`;
	const code = exitCode === "not_started" ? "kill_unavailable" : "kill_denied";
	return {
		pid,
		outcome: "failed",
		ended: [],
		survivors: [pid],
		failure: { code, pid, detail: `taskkill: ${detail}` },
	};
}

function runCommand(command: string, args: readonly string[]): Promise<CommandOutcome> {
	return new Promise((resolve) => {
		execFile(command, args, { windowsHide: true, encoding: "utf8" }, (error, stdout, stderr) => {
			const output = `${stdout}${stderr}`;
			if (error === null) resolve({ exitCode: 0, output });
			else if (typeof error.code === "number") resolve({ exitCode: error.code, output });
			else resolve({ exitCode: "not_started", output: error.message });
		});
	});
}
