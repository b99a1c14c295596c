import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolder } from "libmcp/command";
import { folders } from "../config/folders.ts";

const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/** Makes a change to agents' files, the gateway's file or their backups while no other command makes one. */
export async function oneAtATime<Value>(change: () => Value): Promise<Value> {
	const { state } = folders();
	makeFolder(state, 0o700);
	const lock = join(state, "changing.pid");
	const end = performance.now() + PATIENCE_MS;
	while (!taken(lock)) {
		if (performance.now() > end)
			throw new Error(`${lock}: another command (pid ${holderOf(lock)}) holds it; wait for it, or delete the file`);
		await delay(POLL_MS);
	}
	try {
		return change();
	} finally {
		rmSync(lock, { force: true });
	}
}

/** Tries to take the lock. A link is made in one step, so that whoever sees the lock also sees who holds it. */
function taken(lock: string): boolean {
	const own = `${lock}.${process.pid}`;
	writeFileSync(own, String(process.pid), { mode: 0o600 });
	try {
		linkSync(own, lock);
		return true;
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
		if (!isRunning(holderOf(lock))) rmSync(lock, { force: true });
		return false;
	} finally {
		rmSync(own, { force: true });
	}
}

/** The process that holds the lock, or `undefined` if nobody does any more. */
function holderOf(lock: string): number | undefined {
	try {
		return Number(readFileSync(lock, "utf8"));
	} catch {
		return undefined;
	}
}

/** A lock that has just been given back counts as held, so that nobody deletes the next holder's. */
function isRunning(pid: number | undefined): boolean {
	if (pid === undefined) return true;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
