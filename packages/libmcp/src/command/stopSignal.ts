import { readFileSync } from "node:fs";
import { watchParent } from "../process/ownProcess.ts";

/** Longer than any command takes to answer its calls and end; after that, a signal ends one that hangs. */
const ENDING_MS = 15_000;

/**
 * Aborts when this command should end: on a stop signal, or when the npm that runs it is gone. Another signal while it
 * ends changes nothing, since a wrapper or an impatient person often sends two, and calls would stay unanswered.
 */
export function createStopSignal(command: string): AbortSignal {
	const stop = new AbortController();
	const end = () => stop.abort();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(signal, end);
		stop.signal.addEventListener("abort", () => setTimeout(() => process.off(signal, end), ENDING_MS).unref());
	}
	if (isRunByNpm(command)) {
		watchParent(end);
		const shell = process.ppid;
		if (isShellCommand(shell)) watchParent(end, undefined, () => parentOf(shell));
	}
	return stop.signal;
}

/**
 * npm and npx forward a signal only to their shell, which dies without telling its child, so we watch for their end. We
 * do so only under npm: elsewhere a parent, such as a script that ends in `&`, may exit and leave the command running.
 * npm's variables alone prove nothing, since every descendant inherits them.
 */
function isRunByNpm(command: string): boolean {
	return new RegExp(`\\b${command}\\b[^&]*$`).test(process.env.npm_lifecycle_script ?? "");
}

/** True if our parent is npm's shell (dash; other shells exec a single command). That shell outlives a killed npm. */
function isShellCommand(pid: number): boolean {
	return readProcFile(`/proc/${pid}/cmdline`).split("\0")[1] === "-c";
}

function parentOf(pid: number): number | undefined {
	const [, parent] = /^PPid:\s*(\d+)/m.exec(readProcFile(`/proc/${pid}/status`)) ?? [];
	return parent === undefined ? undefined : Number(parent);
}

/** Empty when the process is gone or there is no /proc. */
function readProcFile(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
