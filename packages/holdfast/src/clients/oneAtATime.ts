import { readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, makeFolder } from "libmcp/command";
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
		if (holderOf(lock) === process.pid) rmSync(lock, { force: true });
	}
}

/** Tries to take the lock, a link that leads to no file but names its holder, which is made in one step. */
function taken(lock: string): boolean {
	try {
		symlinkSync(String(process.pid), lock);
		return true;
	} catch (error) {
		// Where no link can be made, as on a full disk, nobody waits; writing the files will say why.
		if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) return true;
		const holder = holderOf(lock);
		// A lock that has just been given back counts as held, so that nobody deletes the next holder's.
		if (holder !== undefined && !isAlive(holder)) rmSync(lock, { force: true });
		return false;
	}
}

/** The process that holds the lock, or `undefined` if nobody does any more. */
function holderOf(lock: string): number | undefined {
	try {
		return Number(readlinkSync(lock));
	} catch {
		return undefined;
	}
}
