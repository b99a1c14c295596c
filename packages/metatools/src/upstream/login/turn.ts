import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 50;
const LEFT_MS = 20_000;

/** Runs something while holding a lock file, which excludes all other connections, also those of other processes. */
export async function inTurn<Value>(file: string, run: () => Promise<Value>): Promise<Value> {
	const own = randomUUID();
	while (!begin(file, own)) await delay(POLL_MS);
	try {
		return await run();
	} finally {
		// If our turn took too long, the lock may belong to another by now.
		if (contentOf(file) === own) rmSync(file, { force: true });
	}
}

/** Tries to take the lock; false while another holds it. If the file cannot be created, nobody waits. */
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

/** Whether the lock was left behind by a process that ended. A date in the future (the clock was changed) counts too. */
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
