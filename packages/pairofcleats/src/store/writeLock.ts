import { existsSync, lstatSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { getSystemErrorMessage } from "node:util";
import { makeFolder } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";

const LOCK_FILE = "lock.sqlite";
const HOLDER_FILE = "lock.json";
export const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Checking who holds the lock takes it for an instant, so writers wait this long before giving up. */
export const LOOK_MS = 100;
/** How long whoever was asked to write waits: another process that takes in an edit is done by then. */
export const EDIT_MS = 2_000;
const RETRY_MS = 20;
/** How often a holder records its progress. */
const NOTE_MS = 1_000;

/** Held by the one process that writes the index; two writers at once would stop each other. */
export type WriteLock = {
	/** Records progress for `lockHolder`. */
	note(progress: { readonly done: number; readonly total: number }): void;
	release(): void;
};

/** What is known about the process that writes an index; fields are missing if it could not record them. */
export type LockHolder = {
	readonly pid?: number;
	readonly since?: string;
	/** Number of files. */
	readonly done?: number;
	readonly total?: number;
};

/**
 * Allows one writer per index. This is an operating-system lock, held through an open database, so it is released when
 * the process ends for any reason. The file next to it only names the holder, for messages. Waits without blocking the
 * thread, which may be serving requests.
 */
export async function takeWriteLock(folder: string, waitMs: number = LOOK_MS): Promise<WriteLock> {
	for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
		try {
			return heldLock(folder, lockSound(folder));
		} catch (cause) {
			if (!isSqliteFailure(cause, SQLITE_BUSY) || waitedMs >= waitMs) throw refusal(folder, cause);
		}
		await wait(RETRY_MS);
	}
}

function refusal(folder: string, cause: unknown): CleatsError {
	if (cause instanceof CleatsError) return cause;
	if (!isSqliteFailure(cause, SQLITE_BUSY)) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return new CleatsError("INTERNAL", `the index cannot be written: ${why}`, {}, { cause });
	}
	const { pid, since } = readHolder(folder);
	return new CleatsError(
		"QUEUE_OVERLOADED",
		`another process${pid === undefined ? "" : ` (pid ${pid}, since ${since})`} is writing this index; try again when it is done`,
		{ reason: "index_locked", ...(pid !== undefined && { pid, since }) },
		{ cause },
	);
}

function heldLock(folder: string, database: DatabaseSync): WriteLock {
	const holder = { pid: process.pid, since: new Date().toISOString() };
	let notedMs = performance.now();
	nameHolder(folder, holder);
	return {
		note: ({ done, total }) => {
			if (performance.now() - notedMs < NOTE_MS) return;
			notedMs = performance.now();
			nameHolder(folder, { ...holder, done, total });
		},
		release: () => {
			if (!database.isOpen) return;
			database.exec("ROLLBACK");
			database.close();
		},
	};
}

/** The process that is writing the index, if there is one. */
export function readLockHolder(folder: string): LockHolder | undefined {
	const file = join(folder, LOCK_FILE);
	if (!existsSync(file)) return undefined;
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true });
		database.prepare("SELECT count(*) FROM sqlite_schema").get();
		return undefined;
	} catch (cause) {
		return isSqliteFailure(cause, SQLITE_BUSY) ? readHolder(folder) : undefined;
	} finally {
		database?.close();
	}
}

/**
 * Truncates a damaged lock file and retries. SQLite takes the lock before it reads the file, so nobody can be holding
 * it at that point. It is truncated in place, because two processes that find it damaged must still contend for the
 * same file.
 */
function lockSound(folder: string): DatabaseSync {
	try {
		return lock(folder);
	} catch (cause) {
		const file = join(folder, LOCK_FILE);
		const damaged = isSqliteFailure(cause, SQLITE_CORRUPT) || isSqliteFailure(cause, SQLITE_NOTADB);
		// Never truncate the target of a link.
		if (!damaged || !lstatSync(file).isFile()) throw cause;
		truncateSync(file);
		return lock(folder);
	}
}

function lock(folder: string): DatabaseSync {
	const database = openLock(folder);
	try {
		// Nothing is ever written here, so no journal is needed, and a full disk does not prevent cleaning up.
		database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
		return database;
	} catch (cause) {
		database.close();
		throw cause;
	}
}

function openLock(folder: string): DatabaseSync {
	try {
		makeFolder(folder, 0o700);
		return new DatabaseSync(join(folder, LOCK_FILE));
	} catch (cause) {
		const message = `the index cannot be written: ${reasonOf(cause)}; PAIROFCLEATS_CACHE_ROOT names another folder`;
		throw new CleatsError("INTERNAL", message, {}, { cause });
	}
}

/** The system's error message without the path, which remote callers must not see. */
function reasonOf(cause: unknown): string {
	const { errno } = cause instanceof Error && "errno" in cause ? cause : { errno: undefined };
	if (typeof errno === "number") return getSystemErrorMessage(errno);
	// Any other error means that there is a file where the folder should be.
	const isFile = cause instanceof Error && !("code" in cause);
	return isFile ? "not a directory" : "its folder is read-only, full or another user's";
}

function nameHolder(folder: string, holder: LockHolder): void {
	try {
		writeFileSync(join(folder, HOLDER_FILE), JSON.stringify(holder), { mode: 0o600 });
	} catch {
		// The lock works without this file.
	}
}

/** Whether SQLite failed with this code. */
export function isSqliteFailure(cause: unknown, code: number): boolean {
	return cause instanceof Error && "errcode" in cause && (Number(cause.errcode) & 0xff) === code;
}

function readHolder(folder: string): LockHolder {
	try {
		const held: unknown = JSON.parse(readFileSync(join(folder, HOLDER_FILE), "utf8"));
		if (typeof held !== "object" || held === null || !("pid" in held) || !("since" in held)) return {};
		const progress = "done" in held && "total" in held && { done: Number(held.done), total: Number(held.total) };
		return { pid: Number(held.pid), since: String(held.since), ...progress };
	} catch {
		return {};
	}
}

/**
 * Whether any process, this one included, has the index file open. With a write-ahead log, SQLite keeps a lock on the
 * file for each connection; the system releases it when the process ends for any reason.
 */
export function isIndexOpen(file: string): boolean {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(nameExistingFile(file));
		database.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema");
		return false;
	} catch (cause) {
		// What cannot be read at all is nobody's index.
		return isSqliteFailure(cause, SQLITE_BUSY);
	} finally {
		database?.close();
	}
}

/** Names a file for SQLite to open, which would otherwise create an empty one in place of a file that is gone. */
export function nameExistingFile(path: string): URL {
	const url = pathToFileURL(path);
	url.searchParams.set("mode", "rw");
	return url;
}
