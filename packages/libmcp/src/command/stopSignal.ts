import { readFileSync } from "node:fs";
import { watchParent } from "../process/watchParent.ts";

/** Aborted when this command is to end: by a signal, or because the npm that runs it is gone. */
export function stopSignal(command: string): AbortSignal {
	const stop = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
	if (isRunByNpm(command)) {
		const end = () => stop.abort();
		watchParent(end);
		const shell = process.ppid;
		if (isShellCommand(shell)) watchParent(end, undefined, () => parentOf(shell));
	}
	return stop.signal;
}

/**
 * npm and npx pass a signal on to their shell, which dies of it and tells nobody. Anywhere else a parent may go without
 * taking the command along, as may a script that ends in `&`; and what npm runs hands its variables to all it starts.
 */
function isRunByNpm(command: string): boolean {
	return new RegExp(`\\b${command}\\b[^&]*$`).test(process.env.npm_lifecycle_script ?? "");
}

/** Where npm's shell stays between the two (dash; others give their place to a single command) it outlives a killed npm. */
function isShellCommand(pid: number): boolean {
	return read(`/proc/${pid}/cmdline`).split("\0")[1] === "-c";
}

function parentOf(pid: number): number | undefined {
	const [, parent] = /^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? [];
	return parent === undefined ? undefined : Number(parent);
}

/** Nothing where the process is gone, and where there is no such folder. */
function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
