import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { CUSTODY_VARIABLE } from "../environment.ts";
import { readErrorCode } from "../fault/thrown.ts";

const hasProc = process.platform === "linux";

export function readProcessTable(since: number, mark: CustodyMark | undefined): ProcessTable {
	return hasProc ? procTable(since, mark) : psTable(since, mark);
}

export function readProcessEntry(pid: number): ProcessEntry | undefined {
	const row = processRow(pid);
	return row?.zombie ? undefined : row;
}

/** When a process started; also works for a zombie that its parent has not reaped yet. */
export function readStartTime(pid: number): number | undefined {
	return processRow(pid)?.startedAt;
}

function processRow(pid: number): ProcessRow | undefined {
	try {
		return hasProc ? procRow(pid) : psRow(pid);
	} catch {
		return undefined;
	}
}

/** One living process. Zombies are left out: they do nothing but wait for their parent to reap them. */
export type ProcessEntry = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** In the platform's own units. */
	readonly startedAt: number;
};

type ProcessRow = ProcessEntry & { readonly zombie: boolean };

/** Living processes no older than requested, and whether each carries the mark. */
type ProcessTable = {
	readonly entries: readonly (ProcessEntry & { readonly marked: boolean })[];
	/** False when the mark of some process could not be read; a later table may know more. */
	readonly complete: boolean;
};

/** Stop after this many listings; by then a process that forks faster than we list has been seen. */
const MOST_LISTINGS = 10;

/** Kernel threads have no environment and belong to no tree. */
const KERNEL_GROUP = 0;

/**
 * Lists processes until no new one appears: a process that ended before we read it may have left a child, which only
 * the next list shows. Throws when there is no free file descriptor.
 */
function procTable(since: number, mark: CustodyMark | undefined): ProcessTable {
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

function procRow(pid: number): ProcessRow | undefined {
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
		const code = readErrorCode(error);
		// Out of resources: we know nothing about this process, and it may be alive.
		if (SHORTAGES.includes(code)) throw error;
		return code === "EACCES" || code === "EPERM" ? forbidden : "";
	}
}

const SHORTAGES: readonly unknown[] = ["EMFILE", "ENFILE", "ENOMEM"];
/** Stands for an environment that only its owner may read. */
const FOREIGN = "\0";

const COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=";

/** Reads the process table with `ps`, which shows environments too, on systems without /proc. */
function psTable(since: number, mark: CustodyMark | undefined): ProcessTable {
	const living = parsePs(ps("-axo", COLUMNS)).filter((row) => !row.zombie && row.startedAt >= since);
	const marked = mark === undefined ? new Set() : markedPids(mark);
	return { entries: living.map((row) => ({ ...row, marked: marked.has(row.pid) })), complete: true };
}

function psRow(pid: number): ProcessRow | undefined {
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

/** Identifies one spawned tree. A tree inside a marked one carries both marks, so that ending the outer ends it too. */
export type CustodyMark = string;

export function createCustodyMark(): CustodyMark {
	// Unique is enough here, and loading the crypto module would take longer than spawning the worker.
	const random = Math.floor(Math.random() * 2 ** 48).toString(16);
	return `${process.pid.toString(16)}${process.hrtime.bigint().toString(16)}${random}`;
}

export function markEnvironment(environment: NodeJS.ProcessEnv, mark: CustodyMark): NodeJS.ProcessEnv {
	const outer = process.env[CUSTODY_VARIABLE];
	return { ...environment, [CUSTODY_VARIABLE]: outer === undefined ? mark : `${outer}:${mark}` };
}

/** Whether an environment block (entries separated by NUL or spaces) belongs to the marked tree. */
export function carriesMark(environmentBlock: string, mark: CustodyMark): boolean {
	const at = environmentBlock.indexOf(`${CUSTODY_VARIABLE}=`);
	if (at === -1) return false;
	const value = /^[0-9a-f:]*/.exec(environmentBlock.slice(at + CUSTODY_VARIABLE.length + 1))?.[0] ?? "";
	return value.split(":").includes(mark);
}
