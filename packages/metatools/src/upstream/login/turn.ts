import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;
const LEFT_MS = 20_000;

/** Runs something while no other connection, of this process or another, is in a turn at the same file. */
export async function inTurn<Value>(file: string, run: () => Promise<Value>): Promise<Value> {
	const own = randomUUID();
	while (!begin(file, own)) await delay(POLL_MS);
	try {
		return await run();
	} finally {
		// After a turn that took too long it is another's.
		if (contentOf(file) === own) rmSync(file, { force: true });
	}
}

/** False while another's turn lasts. Where no file can be made, nobody waits for anybody. */
function begin(file: string, own: string): boolean {
	try {
		writeFileSync(file, own, { flag: "wx", mode: 0o600 });
		return true;
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return true;
		if (isLeft(file)) rmSync(file, { force: true });
		return false;
	}
}

/** Whether whoever began the turn ended without ending it; a file from the future, after a clock was set, is no better. */
function isLeft(file: string): boolean {
	const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
	return made !== undefined && Math.abs(Date.now() - made) > LEFT_MS;
}

function contentOf(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return undefined;
	}
}
