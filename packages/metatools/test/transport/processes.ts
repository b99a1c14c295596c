import { readdirSync, readFileSync } from "node:fs";

/** Children of a process, by /proc. */
export function childrenOf(parent: number): readonly number[] {
	return readdirSync("/proc")
		.filter((entry) => /^\d+$/.test(entry))
		.map(Number)
		.filter((pid) => {
			const stat = read(`/proc/${pid}/stat`);
			return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
		});
}

/** Kills one child at random whose command line has this in it. */
export function killOne(parent: number, mark: string): number {
	const found = childrenOf(parent).filter((pid) => read(`/proc/${pid}/cmdline`).includes(mark));
	const chosen = found[Math.floor(Math.random() * found.length)];
	if (chosen === undefined) return 0;
	try {
		process.kill(chosen, "SIGKILL");
		return 1;
	} catch {
		return 0;
	}
}

export function descriptors(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentMb(pid: number): number {
	return Math.round((Number(read(`/proc/${pid}/statm`).split(" ")[1]) * 4_096) / 1e6);
}

function read(file: string): string {
	try {
		return readFileSync(file, "latin1");
	} catch {
		// Gone between the list and the look.
		return "";
	}
}
