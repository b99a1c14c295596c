import { readdirSync, readFileSync } from "node:fs";
import { type CustodyMark, carriesMark } from "./custodyMark.ts";
import type { ProcessRow, ProcessTable } from "./processRow.ts";

/** Give up after this many listings: a process that forks faster than we list has been seen by then. */
const MOST_LISTINGS = 10;

/** Kernel threads, which have no environment and are nobody's children. */
const KERNEL_GROUP = 0;

/**
 * Lists until no new process appears: one that ended between being listed and being read may have left a child, which is
 * on the next list. Throws when there is no file descriptor to read with.
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
			// Undecided: read it again on the next round.
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
 * Undefined when the environment is empty, as it is for a moment during exec. Another user's process cannot be read, and
 * is not ours.
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
		// For lack of resources nothing is known about this process: it may well be alive.
		if (SHORTAGES.includes(code)) throw error;
		return code === "EACCES" || code === "EPERM" ? forbidden : "";
	}
}

const SHORTAGES: readonly unknown[] = ["EMFILE", "ENFILE", "ENOMEM"];
/** Placeholder for an environment that only its owner may read. */
const FOREIGN = "\0";
