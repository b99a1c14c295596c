import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "../process/ownProcess.ts";
import { makeFolder } from "./folders.ts";

/** A mark that nobody has touched for longer was left behind. */
const LEFT_MS = 20_000;
const TOUCH_MS = 5_000;
const BLOCKED_MS = 2_000;

/** Runs something while nobody else, in this process or another, has a turn at the same file. */
export async function runInTurn<Value>(file: string, run: () => Value | Promise<Value>): Promise<Value> {
	const mark = markAt(file);
	while (!begins(file, mark)) await delay(pauseMs());
	const touching = setInterval(() => touch(mark), TOUCH_MS);
	touching.unref();
	try {
		return await run();
	} finally {
		clearInterval(touching);
		remove(mark);
	}
}

/** The same for a change of a moment, where nothing can be awaited: the thread sleeps, and gives up after a while. */
export function runInBlockingTurn<Value>(file: string, run: () => Value): Value {
	const mark = markAt(file);
	const end = performance.now() + BLOCKED_MS;
	while (!begins(file, mark)) {
		if (performance.now() > end) throw new Error(`${file}: another process is changing it`);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs());
	}
	try {
		return run();
	} finally {
		remove(mark);
	}
}

/** No two marks have the same name, so that whoever deletes one that was left behind never deletes another's. */
function markAt(file: string): string {
	return `${file}.turn.${hostname()}.${process.pid}.${randomUUID()}`;
}

/** Of two who leave their marks at once, at least one sees the other's, and steps back. */
function begins(file: string, mark: string): boolean {
	try {
		makeFolder(dirname(file), 0o700);
		if (isTaken(file, mark)) return false;
		writeFileSync(mark, "", { flag: "wx", mode: 0o600 });
		if (!isTaken(file, mark)) return true;
		rmSync(mark, { force: true });
		return false;
	} catch {
		// Where no mark can be left, as on a full disk, nobody waits; writing the file will say why.
		return true;
	}
}

/** Where no mark could be left there is none to touch. */
function touch(mark: string): void {
	const now = new Date();
	try {
		utimesSync(mark, now, now);
	} catch {}
}

/** A failure must not hide that of the turn itself; a mark that stays counts as left behind after a while. */
function remove(mark: string): void {
	try {
		rmSync(mark, { force: true });
	} catch {}
}

function isTaken(file: string, own: string): boolean {
	const folder = dirname(file);
	const marks = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.turn.`));
	return marks.map((name) => join(folder, name)).some((mark) => mark !== own && !isLeft(mark));
}

/** Whether the process that made a mark has ended; its mark is deleted then. */
function isLeft(mark: string): boolean {
	const made = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
	if (made === undefined) return true;
	const [, host, pid] = /\.turn\.([^/]*)\.(\d+)\.[^.]+$/.exec(mark) ?? [];
	const ended = host === hostname() && !isAlive(Number(pid));
	// A date in the future tells that the clock was changed.
	if (!ended && Math.abs(Date.now() - made) <= LEFT_MS) return false;
	rmSync(mark, { force: true });
	return true;
}

/** Random, so that two who stepped back do not meet again. */
function pauseMs(): number {
	return 5 + Math.random() * 20;
}
