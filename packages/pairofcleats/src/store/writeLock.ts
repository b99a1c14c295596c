import { existsSync, lstatSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getSystemErrorMessage } from "node:util";
import { CleatsError } from "../contract/errors.ts";

const LOCK_FILE = "lock.sqlite";
const HOLDER_FILE = "lock.json";
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** A look at who holds the lock keeps it from others for an instant, which is no reason to refuse them. */
const LOOK_MS = 100;
/** How often a holder says how far it is. */
const NOTE_MS = 1_000;

export type WriteLock = {
	/** For whoever asks what is going on. */
	note(progress: { readonly done: number; readonly total: number }): void;
	release(): void;
};

/** What is known of the process that writes an index: nothing where it could not say. */
export type LockHolder = {
	readonly pid?: number;
	readonly since?: string;
	/** Files. */
	readonly done?: number;
	readonly total?: number;
};

/**
 * One writer per index. The lock is the operating system's, held through an open database, so it goes with its
 * process however that ends; the file beside it only says who to name in the message.
 */
export function takeWriteLock(folder: string, waitMs = LOOK_MS): WriteLock {
	let database: DatabaseSync;
	try {
		database = lockSound(folder, waitMs);
	} catch (cause) {
		if (cause instanceof CleatsError) throw cause;
		if (!failedFor(cause, SQLITE_BUSY)) {
			const why = cause instanceof Error ? cause.message : String(cause);
			throw new CleatsError("INTERNAL", `the index cannot be written: ${why}`, {}, { cause });
		}
		const { pid, since } = readHolder(folder);
		throw new CleatsError(
			"QUEUE_OVERLOADED",
			`another process${pid === undefined ? "" : ` (pid ${pid}, since ${since})`} is writing this index; wait for it or stop it`,
			{ reason: "index_locked", ...(pid !== undefined && { pid, since }) },
			{ cause },
		);
	}
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

/** Who writes the index, if anybody does. */
export function lockHolder(folder: string): LockHolder | undefined {
	const file = join(folder, LOCK_FILE);
	if (!existsSync(file)) return undefined;
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true });
		database.prepare("SELECT count(*) FROM sqlite_schema").get();
		return undefined;
	} catch (cause) {
		return failedFor(cause, SQLITE_BUSY) ? readHolder(folder) : undefined;
	} finally {
		database?.close();
	}
}

/**
 * Garbage in the file is thrown away. Whether the lock is held is asked before the file is read, so nobody holds it
 * then; and it is emptied where it is, as two that find it so must still meet in one file.
 */
function lockSound(folder: string, waitMs: number): DatabaseSync {
	try {
		return lock(folder, waitMs);
	} catch (cause) {
		const file = join(folder, LOCK_FILE);
		const damaged = failedFor(cause, SQLITE_CORRUPT) || failedFor(cause, SQLITE_NOTADB);
		// What a link leads to is not ours to empty.
		if (!damaged || !lstatSync(file).isFile()) throw cause;
		truncateSync(file);
		return lock(folder, waitMs);
	}
}

function lock(folder: string, waitMs: number): DatabaseSync {
	const database = openLock(folder);
	try {
		// Nothing is ever written here, so no journal is needed, and a full disk is no reason not to clean up.
		database.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
		return database;
	} catch (cause) {
		database.close();
		throw cause;
	}
}

function openLock(folder: string): DatabaseSync {
	try {
		makeFolder(folder);
		return new DatabaseSync(join(folder, LOCK_FILE));
	} catch (cause) {
		const message = `the index cannot be written: ${reasonOf(cause)}; PAIROFCLEATS_CACHE_ROOT names another folder`;
		throw new CleatsError("INTERNAL", message, {}, { cause });
	}
}

/** Making several at once, Node says of a read-only disk that there is no such folder; of one it says what is the matter. */
function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (cause) {
		let missing = folder;
		while (!existsSync(dirname(missing))) missing = dirname(missing);
		if (!existsSync(missing)) mkdirSync(missing, { mode: 0o700 });
		throw cause;
	}
}

/** In the system's words but without the path, which is nobody's business who asks from afar. */
function reasonOf(cause: unknown): string {
	const { errno } = cause instanceof Error && "errno" in cause ? cause : { errno: undefined };
	return typeof errno === "number" ? getSystemErrorMessage(errno) : "its folder is read-only, full or another user's";
}

function nameHolder(folder: string, holder: LockHolder): void {
	try {
		writeFileSync(join(folder, HOLDER_FILE), JSON.stringify(holder), { mode: 0o600 });
	} catch {
		// The lock holds without it.
	}
}

function failedFor(cause: unknown, code: number): boolean {
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
