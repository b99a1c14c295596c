import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { plainText, suggestion, UsageError } from "libmcp/command";
import { fileName, type LoggedRecord, parseRecord, stateFolder } from "libmcp/control";
import { readArguments, readWholeNumber } from "../arguments.ts";
import { colour, printWarning, say, tell } from "../output.ts";
import { readOwnName } from "./findHost.ts";
import { followLog, type LogRead, readLog, readOlderLines } from "./logFile.ts";

export const help = `Usage: holdfast logs <name> [-n <lines>] [--pid <pid>] [--follow] [--json]

Prints the latest telemetry of a host, or of a server behind a gateway, one
event to a line, and below the end of a server what it last wrote to stderr;
--follow waits for more. Hosts of one name share a file: where several wrote,
each line says which process, and --pid shows one of them. The file is JSONL and
holds no arguments or results; --json prints it as it is. A name that begins
with a dash comes after -- and after all options.`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{
			lines: { type: "string", short: "n" },
			pid: { type: "string" },
			follow: { type: "boolean", short: "f" },
			json: { type: "boolean" },
		},
		1,
	);
	const [name] = words;
	if (name === undefined)
		throw new UsageError(`name: expected a host's or a server's name, got nothing; there are: ${known()}`);
	const count = readWholeNumber("--lines", values.lines ?? "50");
	const pid = values.pid === undefined ? undefined : readWholeNumber("--pid", values.pid);
	const path = join(stateFolder(), `${fileName(name)}.jsonl`);
	const read = readLog(path);
	if (read === undefined) {
		const meant = suggestion(name, listLoggedNames().map(readOwnName), `there are: ${known()}`);
		throw new Error(`${JSON.stringify(name)} has left no log${meant}`);
	}
	const isWanted = (line: string): boolean => pid === undefined || parseRecord(line)?.pid === pid;
	const writers = new Set<number>();
	const show = (lines: readonly string[]): void => {
		const wanted = lines.filter(isWanted);
		if (values.json === true) for (const line of wanted) say(line);
		else sayReadable(wanted, writers);
	};
	const follows = values.follow === true;
	// Whoever follows sees an unfinished line once it is whole.
	const now = follows || read.unfinished === "" ? read.lines : [...read.lines, read.unfinished];
	const lines = latest(path, { ...read, lines: now }, count, isWanted);
	// One that is awaited may have written nothing yet.
	if (pid !== undefined && lines.length === 0 && count > 0 && !follows)
		throw new UsageError(`--pid: expected a process that has written to this log${suchAs(now)}, got ${pid}`);
	show(lines);
	if (follows)
		await followLog(path, read.place, show, () =>
			printWarning("holdfast logs: records are missing here: the file that they were in is gone"),
		);
	return 0;
}

/** The last wanted lines of the log, including those in its rotated files. */
function latest(path: string, read: LogRead, count: number, isWanted: (line: string) => boolean): string[] {
	if (count === 0) return [];
	let lines = read.lines.filter(isWanted);
	const older = readOlderLines(path, read);
	while (lines.length < count) {
		const { value, done } = older.next();
		if (done === true) break;
		lines = [...value.filter(isWanted), ...lines];
	}
	return lines.slice(-count);
}

/** Names the processes that wrote last. */
function suchAs(lines: readonly string[]): string {
	const pids = [...new Set(lines.flatMap((line) => parseRecord(line)?.pid ?? []))].slice(-SHOWN_WRITERS);
	return pids.length === 0 ? "" : `, such as ${pids.join(" or ")}`;
}

const SHOWN_WRITERS = 5;

/** Names the process in each line once several have written; `writers` are those seen so far. */
function sayReadable(lines: readonly string[], writers: Set<number>): void {
	for (const line of lines) {
		const pid = parseRecord(line)?.pid;
		if (pid !== undefined) writers.add(pid);
	}
	for (const line of inOrder(lines)) tell(readable(line, writers.size > 1));
}

/** Sorts lines by time, since the log's order can differ: a call, for example, is written when it ends. */
function inOrder(lines: readonly string[]): string[] {
	const records = lines.map(parseRecord);
	let last = 0;
	const timed = lines.map((line, place) => {
		const record = records[place];
		// A line that is not a record stays after the line before it.
		last = record?.at ?? last;
		// The first record opens the log, so it may be a little older than the line that says so.
		const at = record?.event === "log_opened" ? Math.min(last, records[place + 1]?.at ?? last) : last;
		return { line, at };
	});
	return timed.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

function known(): string {
	return listLoggedNames().map(readOwnName).join(", ") || "none; holdfast up and holdfast host leave some";
}

/** The names of the hosts and servers that have a log. */
export function listLoggedNames(): string[] {
	const names = existsSync(stateFolder()) ? readdirSync(stateFolder()) : [];
	return names.flatMap((file) => /^(.+)\.jsonl$/.exec(file)?.[1] ?? []);
}

function readable(line: string, withPid: boolean): string {
	const record = parseRecord(line);
	if (record === undefined) return colour("dim", `not a record: ${plainText(line.slice(0, 120))}`);
	const who = withPid ? `${colour("dim", String(record.pid ?? "?").padEnd(PID_WIDTH))}  ` : "";
	return `${colour("dim", clock(new Date(record.at)))}  ${who}g${record.generation}  ${describe(record)}`;
}

const PID_WIDTH = 7;

/** Local time, with the date unless it is today. */
function clock(at: Date): string {
	const [day = "", time = ""] = at.toLocaleString("sv-SE").split(" ");
	const [today] = new Date().toLocaleString("sv-SE").split(" ");
	const exact = `${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
	return day === today ? exact : `${day} ${exact}`;
}

function describe(record: LoggedRecord): string {
	switch (record.event) {
		case "call": {
			const what = plainText(record.tool === undefined ? record.method : `${record.method} ${record.tool}`);
			const how = record.fault === undefined ? record.outcome : `${record.fault.class}: ${record.fault.code}`;
			const tries = record.attempts > 1 ? `, ${record.attempts} attempts` : "";
			return `${record.outcome === "ok" ? how : colour("warn", how)}  ${what}  ${record.latencyMs.toFixed(1)} ms${tries}`;
		}
		case "fault": {
			const what = `fault  ${record.fault.class}: ${record.fault.code}  ${plainText(record.fault.detail)}`;
			const lastWords = record.stderr?.map((line) => `\n${colour("dim", `    stderr: ${plainText(line)}`)}`) ?? [];
			return [colour("bad", what), ...lastWords].join("");
		}
		case "restart":
			return colour("warn", `restart in ${record.delayMs} ms after ${record.cause.class}: ${record.cause.code}`);
		case "replay":
			return plainText(`replay  ${record.method} ${record.tool ?? ""}, attempt ${record.attempt}`);
		case "rollout_step":
			return `rollout  ${record.step}`;
		case "log_opened":
			return colour("dim", `log of ${plainText(record.name)} opened by process ${record.pid}`);
	}
}
