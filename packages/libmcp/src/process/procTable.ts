import { readdirSync, readFileSync } from "node:fs";
import { errorCode } from "../fault/errorCode.ts";
import { type CustodyMark, carriesMark } from "./custodyMark.ts";
import type { ProcessRow, ProcessTable } from "./processRow.ts";

/** Stop after this many listings; by then a process that forks faster than we list has been seen. */
const MOST_LISTINGS = 10;

/** Kernel threads have no environment and belong to no tree. */
const KERNEL_GROUP = 0;

/**
 * Lists processes until no new one appears: a process that ended before we read it may have left a child, which only
 * the next list shows. Throws when there is no free file descriptor.
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
			// Not known yet: read it again in the next round.
			if (marked === undefined) looked.delete(name);
		}
	}
	return { entries: [...entries.values()], complete };
}

export function procRow(pid: number): ProcessRow | undefined {
	return parseProcStat(pid, readOrEmpty(`/proc/${pid}/stat`));
}

/** The command name is in parentheses and may contain any character, so fields count from the last parenthesis. */
export function parseProcStat(pid: number, text: string): ProcessRow | undefined {
	const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const startedAt = Number(rest[16]);
	if (state === undefined || state === "" || !Number.isFinite(startedAt)) return undefined;
	return { pid, parent: Number(parent), group: Number(group), startedAt, zombie: "ZXx".includes(state) };
}

/** Undefined while the environment is empty, as it is for a moment during exec. False for another user's process. */
function isMarked(pid: number, mark: CustodyMark): boolean | undefined {
	const environment = readOrEmpty(`/proc/${pid}/environ`, FOREIGN);
	return environment === "" ? undefined : carriesMark(environment, mark);
}

function readOrEmpty(path: string, forbidden = ""): string {
	try {
		return readFileSync(path, "latin1");
	} catch (error) {
		const code = errorCode(error);
		// Out of resources: we know nothing about this process, and it may be alive.
		if (SHORTAGES.includes(code)) throw error;
		return code === "EACCES" || code === "EPERM" ? forbidden : "";
	}
}

const SHORTAGES: readonly unknown[] = ["EMFILE", "ENFILE", "ENOMEM"];
/** Stands for an environment that only its owner may read. */
const FOREIGN = "\0";
