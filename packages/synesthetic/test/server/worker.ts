import { readdirSync, readFileSync } from "node:fs";
import type { StdioClient } from "./stdioClient.ts";

export const onLinux: false | string = process.platform === "linux" ? false : "reads /proc";

/** Between two workers there may be none for a moment. */
export async function killWorker(client: StdioClient): Promise<void> {
	let pid: number | undefined;
	await client.until(() => {
		pid = workerOf(client.child.pid ?? 0);
		return pid !== undefined;
	});
	if (pid !== undefined) process.kill(pid, "SIGKILL");
}

/** The worker is the server's child that runs the worker's entry. */
function workerOf(pid: number): number | undefined {
	for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
		try {
			const parent = Number(/^\d+ \(.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]);
			if (parent === pid && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("workerMain")) return Number(name);
		} catch {
			// Gone meanwhile.
		}
	}
	return undefined;
}

/** How much memory a process holds. Linux only; elsewhere 0, so that a bound is not looked at. */
export function residentKiB(pid: number): number {
	try {
		return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
	} catch {
		return 0;
	}
}
