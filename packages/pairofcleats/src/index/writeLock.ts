import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CleatsError } from "../contract/errors.ts";

export type WriteLock = { release(): void };

/**
 * One writer per index. The lock is the operating system's, held through an open database, so it goes with its
 * process however that ends; the file beside it only says who to name in the message.
 */
export function takeWriteLock(folder: string, waitMs = 0): WriteLock {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const database = new DatabaseSync(join(folder, "lock.sqlite"));
	const holder = join(folder, "lock.json");
	try {
		database.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`);
	} catch (cause) {
		database.close();
		const who = readHolder(holder);
		throw new CleatsError(
			"QUEUE_OVERLOADED",
			`another process${who === undefined ? "" : ` (pid ${who.pid}, since ${who.since})`} is writing this index; wait for it or stop it`,
			{ reason: "index_locked", ...(who && { pid: who.pid, since: who.since }) },
			{ cause },
		);
	}
	writeFileSync(holder, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 });
	return {
		release: () => {
			if (!database.isOpen) return;
			database.exec("ROLLBACK");
			database.close();
		},
	};
}

function readHolder(file: string): { pid: number; since: string } | undefined {
	try {
		const held: unknown = JSON.parse(readFileSync(file, "utf8"));
		if (typeof held !== "object" || held === null || !("pid" in held) || !("since" in held)) return undefined;
		return { pid: Number(held.pid), since: String(held.since) };
	} catch {
		return undefined;
	}
}
