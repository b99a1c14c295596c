import type { CustodyMark } from "./custodyMark.ts";
import { procRow, procTable } from "./procTable.ts";
import { psRow, psTable } from "./psTable.ts";

/** One living process. Zombies are not listed: they hold no work, only a row that their parent has yet to read. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** In the platform's own units. */
	readonly startedAt: number;
};

export type ProcessRow = ProcessEntry & { readonly zombie: boolean };

/** Living processes no older than asked for, each with whether its environment carries the mark. */
export type ProcessTable = {
	readonly entries: readonly (ProcessEntry & { readonly marked: boolean })[];
	/** False when some process could not be attributed, so that a later table may know more. */
	readonly complete: boolean;
};

const hasProc = process.platform === "linux";

export function processTable(since: number, mark: CustodyMark | undefined): ProcessTable {
	return hasProc ? procTable(since, mark) : psTable(since, mark);
}

export function processEntry(pid: number): ProcessEntry | undefined {
	const row = processRow(pid);
	return row?.zombie ? undefined : row;
}

/** When a process started; also works for a zombie that its parent has not reaped yet. */
export function startOf(pid: number): number | undefined {
	return processRow(pid)?.startedAt;
}

function processRow(pid: number): ProcessRow | undefined {
	try {
		return hasProc ? procRow(pid) : psRow(pid);
	} catch {
		return undefined;
	}
}
