// What the kernel says of other processes, on Linux.
import { readdirSync, readFileSync } from "node:fs";

/** User and system time of a process and its threads in milliseconds; the kernel counts in steps of ten. */
export function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
		.replace(/^.*\) /s, "")
		.split(" ");
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same in fine steps, without threads that have ended; for a process that is only a few ticks old. */
export function threadsCpuMs(pid: number): number {
	const threads = readdirSync(`/proc/${pid}/task`);
	const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]);
	return spent.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1e6;
}

/** Resident memory of a process in megabytes. */
export function residentMb(pid: number): number {
	const pages = Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
	return (pages * 4_096) / 1e6;
}

export function childPids(pid: number): number[] {
	return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").filter(Boolean).map(Number);
}
