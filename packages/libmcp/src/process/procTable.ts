import { readdirSync, readFileSync } from "node:fs";
import { type CustodyMark, carriesMark } from "./custodyMark.ts";
import type { ProcessRow, ProcessTable } from "./processTable.ts";

/** Who forks faster than we list has been seen long before. */
const MOST_LISTINGS = 10;

/** Threads of the kernel, which have no environment and are nobody's children. */
const KERNEL_GROUP = 0;

/**
 * Lists until nobody new is listed: whoever ended between the list and the look at him may have left a child, and that
 * child is on the next list. Throws when there is no file descriptor to look with.
 */
export function procTable(since: number, mark: CustodyMark | undefined): ProcessTable {
	const entries = new Map<string, ProcessTable["entries"][number]>();
	const looked = new Set<string>();
	let complete = false;
	for (let listing = 0; !complete && listing < MOST_LISTINGS; listing++) {
		complete = true;
		for (const name of readdirSync("/proc")) {
			if (looked.has(name) || !/^\d+$/.test(name)) continue;
			complete = false;
			looked.add(name);
			const row = procRow(Number(name));
			if (row === undefined || row.zombie || row.startedAt < since || row.group === KERNEL_GROUP) continue;
			const marked = mark === undefined ? false : isMarked(row.pid, mark);
			entries.set(name, { ...row, marked: marked === true });
			// To be asked again, as if new on the next list.
			if (marked === undefined) looked.delete(name);
		}
	}
	return { entries: [...entries.values()], complete };
}

export function procRow(pid: number): ProcessRow | undefined {
	return parseProcStat(pid, readOrEmpty(`/proc/${pid}/stat`));
}

/** The command's name stands in parentheses and may itself hold any character, so fields count from the last one. */
export function parseProcStat(pid: number, text: string): ProcessRow | undefined {
	const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const startedAt = Number(rest[16]);
	if (state === undefined || state === "" || !Number.isFinite(startedAt)) return undefined;
	return { pid, parent: Number(parent), group: Number(group), startedAt, zombie: "ZXx".includes(state) };
}

/**
 * Undefined for one whose environment is empty, which it is for a moment while a process becomes another program. Of
 * somebody else's process nothing is told, and it is none of ours.
 */
function isMarked(pid: number, mark: CustodyMark): boolean | undefined {
	const environment = readOrEmpty(`/proc/${pid}/environ`, FOREIGN);
	return environment === "" ? undefined : carriesMark(environment, mark);
}

function readOrEmpty(path: string, forbidden = ""): string {
	try {
		return readFileSync(path, "latin1");
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		// Whoever cannot be looked at for such a reason may well be there.
		if (SHORTAGES.includes(code)) throw error;
		return code === "EACCES" || code === "EPERM" ? forbidden : "";
	}
}

const SHORTAGES: readonly unknown[] = ["EMFILE", "ENFILE", "ENOMEM"];
/** Stands for an environment that only its owner may read. */
const FOREIGN = "\0";
