import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { type CustodyMark, carriesMark } from "./custodyMark.ts";

/** One living process. Zombies are not listed: they hold no work, only a row that their parent has yet to read. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly startedAt: number;
};

const hasProc = process.platform === "linux";

export function processTable(): readonly ProcessEntry[] {
	return hasProc ? procTable() : psTable();
}

export function processEntry(pid: number): ProcessEntry | undefined {
	if (hasProc) return procEntry(pid);
	return parsePs(ps("-o", PS_COLUMNS, "-p", String(pid)))[0];
}

/** Which of these processes carry the mark in the environment they were started with. */
export function markedAmong(entries: readonly ProcessEntry[], mark: CustodyMark): readonly ProcessEntry[] {
	if (hasProc) return entries.filter((entry) => carriesMark(readOrEmpty(`/proc/${entry.pid}/environ`), mark));
	const marked = new Set<number>();
	for (const line of ps("-axwwE", "-o", "pid=,command=").split("\n")) {
		if (carriesMark(line, mark)) marked.add(Number.parseInt(line, 10));
	}
	return entries.filter((entry) => marked.has(entry.pid));
}

function procTable(): readonly ProcessEntry[] {
	const entries: ProcessEntry[] = [];
	for (const name of readdirSync("/proc")) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		const entry = procEntry(pid);
		if (entry !== undefined) entries.push(entry);
	}
	return entries;
}

function procEntry(pid: number): ProcessEntry | undefined {
	return parseProcStat(pid, readOrEmpty(`/proc/${pid}/stat`));
}

/** The command's name stands in parentheses and may itself hold any character, so fields count from the last one. */
export function parseProcStat(pid: number, text: string): ProcessEntry | undefined {
	const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const startedAt = Number(rest[16]);
	if (state === undefined || state === "" || "ZXx".includes(state) || !Number.isFinite(startedAt)) return undefined;
	return { pid, parent: Number(parent), group: Number(group), startedAt };
}

const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=";

function psTable(): readonly ProcessEntry[] {
	return parsePs(ps("-axo", PS_COLUMNS));
}

export function parsePs(text: string): readonly ProcessEntry[] {
	const entries: ProcessEntry[] = [];
	for (const line of text.split("\n")) {
		const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
		if (match === null || match[4]?.startsWith("Z")) continue;
		const startedAt = Date.parse(match[5] ?? "");
		entries.push({ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), startedAt });
	}
	return entries;
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

function readOrEmpty(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}
