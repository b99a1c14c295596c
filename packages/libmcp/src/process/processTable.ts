import type { CustodyMark } from "./custodyMark.ts";
import type { ProcessEntry, ProcessRow, ProcessTable } from "./processRow.ts";
import { procRow, procTable } from "./procTable.ts";
import { psRow, psTable } from "./psTable.ts";

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
