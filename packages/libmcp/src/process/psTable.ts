import { execFileSync } from "node:child_process";
import { type CustodyMark, carriesMark } from "./custodyMark.ts";
import type { ProcessRow, ProcessTable } from "./processRow.ts";

const COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=";

/** Reads the process table with `ps`, which shows environments too, on systems without /proc. */
export function psTable(since: number, mark: CustodyMark | undefined): ProcessTable {
	const living = parsePs(ps("-axo", COLUMNS)).filter((row) => !row.zombie && row.startedAt >= since);
	const marked = mark === undefined ? new Set() : markedPids(mark);
	return { entries: living.map((row) => ({ ...row, marked: marked.has(row.pid) })), complete: true };
}

export function psRow(pid: number): ProcessRow | undefined {
	return parsePs(ps("-o", COLUMNS, "-p", String(pid)))[0];
}

export function parsePs(text: string): readonly ProcessRow[] {
	const rows: ProcessRow[] = [];
	for (const line of text.split("\n")) {
		const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
		if (match === null) continue;
		const [, pid, parent, group, state = "", started = ""] = match;
		const startedAt = Date.parse(started);
		rows.push({
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			startedAt,
			zombie: state.startsWith("Z"),
		});
	}
	return rows;
}

function markedPids(mark: CustodyMark): ReadonlySet<number> {
	const lines = ps("-axwwE", "-o", "pid=,command=").split("\n");
	return new Set(lines.filter((line) => carriesMark(line, mark)).map((line) => Number.parseInt(line, 10)));
}

function ps(...args: string[]): string {
	try {
		return execFileSync("ps", args, {
			encoding: "utf8",
			maxBuffer: 64 * 1024 * 1024,
			stdio: ["ignore", "pipe", "ignore"],
		});
	} catch {
		return "";
	}
}
