import { readdirSync, readFileSync } from "node:fs";
import type { StdioClient } from "./stdioClient.ts";

export const onLinux: false | string = process.platform === "linux" ? false : "reads /proc";

export async function killWorker(client: StdioClient): Promise<void> {
	process.kill(await workerOf(client), "SIGKILL");
}

/** The worker in use, or the one that comes after `gone`: between two there may be none for a moment. */
export async function workerOf(client: StdioClient, gone?: number): Promise<number> {
	let found: number | undefined;
	await client.until(() => {
		found = workersOf(client.child.pid ?? 0).find((pid) => pid !== gone);
		return found !== undefined;
	});
	return found ?? 0;
}

/** A worker is a child of the server that runs the worker's entry. */
function workersOf(server: number): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => {
			try {
				const parent = Number(/^\d+ \(.*\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
				return parent === server && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerMain");
			} catch {
				// No process, or gone meanwhile.
				return false;
			}
		});
}

/** How much memory a process holds. Linux only; elsewhere 0, so that a bound is not looked at. */
export function residentKiB(pid: number): number {
	try {
		return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
	} catch {
		return 0;
	}
}
