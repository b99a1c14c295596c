import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { plainText, UsageError } from "libmcp/command";
import { fileName, parseRecord, rotatedFiles, stateFolder, type TelemetryRecord } from "libmcp/host";
import { say, tint } from "./output.ts";
import { readArguments, wholeNumber } from "./usage.ts";

export const help = `Usage: holdfast logs <name> [-n <lines>] [--follow] [--json]

Prints the latest telemetry of a host, or of a server behind a gateway, one
event to a line, and below the end of a server what it last wrote to stderr;
--follow waits for more. The file is JSONL and holds no arguments or results;
--json prints it as it is. A name that begins with a dash comes after -- and
after all options.`;

const POLL_MS = 500;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{
			lines: { type: "string", short: "n" },
			follow: { type: "boolean", short: "f" },
			json: { type: "boolean" },
		},
		1,
	);
	const [name] = words;
	if (name === undefined)
		throw new UsageError(`name: expected a host's or a server's name, got nothing; there are: ${known()}`);
	const path = join(stateFolder(), `${fileName(name)}.jsonl`);
	if (!existsSync(path)) throw new Error(`${JSON.stringify(name)} has left no log; there are: ${known()}`);
	const show = (line: string): void => say(values.json === true ? line : readable(line));
	const text = readFileSync(path, "utf8");
	const count = wholeNumber("--lines", values.lines ?? "50");
	const showAll = (lines: readonly string[]): void => {
		for (const line of values.json === true ? lines : inOrder(lines)) show(line);
	};
	showAll(latest(path, text, count));
	if (values.follow === true) await follow(path, Buffer.byteLength(text), showAll);
	return 0;
}

/** The last lines of the log, including those in its rotated files. */
function latest(path: string, text: string, count: number): string[] {
	let lines = text.split("\n").filter(Boolean);
	for (const older of rotatedFiles(path).reverse()) {
		if (lines.length >= count) break;
		lines = [...readFileSync(older, "utf8").split("\n").filter(Boolean), ...lines];
	}
	return count === 0 ? [] : lines.slice(-count);
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
	return loggedNames().join(", ") || "none; holdfast up and holdfast host leave some";
}

/** The names of the hosts and servers that have a log. */
export function loggedNames(): string[] {
	const names = existsSync(stateFolder()) ? readdirSync(stateFolder()) : [];
	return names.flatMap((file) => /^(.+)\.jsonl$/.exec(file)?.[1] ?? []);
}

/** Continues from the last position, through files that were rotated away; a shortened file is read from its start. */
async function follow(path: string, from: number, show: (lines: readonly string[]) => void): Promise<never> {
	let at = from;
	let inode = statSync(path).ino;
	let partial = "";
	for (;;) {
		await delay(POLL_MS);
		if (!existsSync(path)) continue;
		const fd = openSync(path, "r");
		try {
			const { size, ino } = fstatSync(fd);
			const missed = ino === inode ? "" : restOf(path, inode, at);
			if (ino !== inode || size < at) at = 0;
			inode = ino;
			const chunk = Buffer.alloc(size - at);
			at += readSync(fd, chunk, 0, chunk.length, at);
			const lines = (partial + missed + chunk.toString()).split("\n");
			partial = lines.pop() ?? "";
			show(lines);
		} finally {
			closeSync(fd);
		}
	}
}

/** What was added to the file of this inode after `at`, and to those rotated away after it. */
function restOf(path: string, inode: number, at: number): string {
	const files = rotatedFiles(path);
	const place = files.findIndex((file) => statSync(file, { throwIfNoEntry: false })?.ino === inode);
	if (place === -1) return "";
	return files
		.slice(place)
		.map((file, index) =>
			readFileSync(file)
				.subarray(index === 0 ? at : 0)
				.toString(),
		)
		.join("");
}

function readable(line: string): string {
	const record = parseRecord(line);
	if (record === undefined) return tint("dim", `not a record: ${plainText(line.slice(0, 120))}`);
	return `${tint("dim", clock(new Date(record.at)))}  g${record.generation}  ${describe(record)}`;
}

/** Local time, with the date unless it is today. */
function clock(at: Date): string {
	const [day = "", time = ""] = at.toLocaleString("sv-SE").split(" ");
	const [today] = new Date().toLocaleString("sv-SE").split(" ");
	const exact = `${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
	return day === today ? exact : `${day} ${exact}`;
}

function describe(record: TelemetryRecord): string {
	switch (record.event) {
		case "call": {
			const what = plainText(record.tool === undefined ? record.method : `${record.method} ${record.tool}`);
			const how = record.fault === undefined ? record.outcome : `${record.fault.class}: ${record.fault.code}`;
			const tries = record.attempts > 1 ? `, ${record.attempts} attempts` : "";
			return `${record.outcome === "ok" ? how : tint("warn", how)}  ${what}  ${record.latencyMs.toFixed(1)} ms${tries}`;
		}
		case "fault": {
			const what = `fault  ${record.fault.class}: ${record.fault.code}  ${plainText(record.fault.detail)}`;
			const lastWords = record.stderr?.map((line) => `\n${tint("dim", `    stderr: ${plainText(line)}`)}`) ?? [];
			return [tint("bad", what), ...lastWords].join("");
		}
		case "restart":
			return tint("warn", `restart in ${record.delayMs} ms after ${record.cause.class}: ${record.cause.code}`);
		case "replay":
			return plainText(`replay  ${record.method} ${record.tool ?? ""}, attempt ${record.attempt}`);
		case "rollout_step":
			return `rollout  ${record.step}`;
		case "log_opened":
			return tint("dim", `log of ${plainText(record.name)} opened by process ${record.pid}`);
	}
}
