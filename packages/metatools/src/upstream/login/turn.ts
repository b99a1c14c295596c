import { rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;
const LEFT_MS = 20_000;

/** Runs something while no other connection, of this process or another, is in a turn at the same file. */
export async function inTurn<Value>(file: string, run: () => Promise<Value>): Promise<Value> {
	while (!begin(file)) await delay(POLL_MS);
	try {
		return await run();
	} finally {
		rmSync(file, { force: true });
	}
}

/** False while another's turn lasts. Where no file can be made, nobody waits for anybody. */
function begin(file: string): boolean {
	try {
		writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
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
