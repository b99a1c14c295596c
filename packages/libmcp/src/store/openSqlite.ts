import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { makeFolder } from "../command/folders.ts";
import { REAL_WORLD, type World } from "../world/world.ts";
import { APPLICATION_ID, MIGRATIONS, type Migration } from "./schema.ts";
import { damaged, sqliteProblem } from "./sqliteProblem.ts";
import { sqliteTables } from "./sqliteTables.ts";
import { StoreProblem } from "./storeProblem.ts";
import { TableStore } from "./tableStore.ts";

export type SqliteOptions = {
	readonly world?: World;
	/** Default: what this program knows. */
	readonly migrations?: readonly Migration[];
	/** The most bytes the file may have. Default: as many as the disk has. */
	readonly maxBytes?: number;
	/** How long to wait for another process to let go of the file. */
	readonly waitMs?: number;
};

/** A process that was killed may take a moment to be gone. */
const WAIT_MS = 2_000;
const LOG_BYTES = 4 * 1024 * 1024;

/** Opens or makes the store in this file, which no other process may use meanwhile. */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<TableStore> {
	const { world = REAL_WORLD, migrations = MIGRATIONS, maxBytes, waitMs = WAIT_MS } = options;
	const { DatabaseSync } = await import("node:sqlite");
	let database: DatabaseSync | undefined;
	try {
		makePrivate(file);
		database = new DatabaseSync(file, { timeout: waitMs });
		// Before anything else: the first access takes the lock, and keeps it until the file is closed.
		database.exec("PRAGMA locking_mode = EXCLUSIVE");
		const version = versionOf(file, database, migrations);
		database.exec("PRAGMA journal_mode = WAL");
		// Whoever waits for a sync gets one from `sync`; the file stays whole without it.
		database.exec("PRAGMA synchronous = NORMAL");
		database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
		if (version > 0) checkWhole(file, database);
		migrate(file, database, version, migrations);
		if (maxBytes !== undefined) limitSize(database, maxBytes);
		return new TableStore(`sqlite:${file}`, sqliteTables(file, database), world);
	} catch (error) {
		database?.close();
		throw error instanceof StoreProblem ? error : sqliteProblem(file, error);
	}
}

/** Only the owner may read it. SQLite gives its other files the same mode. */
function makePrivate(file: string): void {
	makeFolder(dirname(file), 0o700);
	if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
	else if (process.platform !== "win32") chmodSync(file, 0o600);
}

/** How many steps of the schema the file has had; 0 for a new one. */
function versionOf(file: string, database: DatabaseSync, migrations: readonly Migration[]): number {
	const version = numberOf(database, "user_version");
	const application = numberOf(database, "application_id");
	const tables = Number(database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count);
	if (application !== APPLICATION_ID && (application !== 0 || version !== 0 || tables > 0))
		throw new StoreProblem(
			"NO_STORE",
			`${file}: expected a store of holdfast or no file, got another program's database`,
		);
	if (version > migrations.length) {
		const about = database.prepare("SELECT value FROM about WHERE name = 'program'").get();
		const program = about === undefined ? "newer" : String(about.value);
		throw new StoreProblem(
			"NEWER",
			`${file}: expected a store of schema version ${migrations.length} or older, got ${version}; ` +
				`it needs version ${program} of holdfast or a newer one, and is kept as it is`,
		);
	}
	return version;
}

/** A damaged file is refused before anything is written to it. */
function checkWhole(file: string, database: DatabaseSync): void {
	const found = database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
	if (found !== "ok") throw damaged(file, String(found));
	for (const row of database.prepare("SELECT kind, owner, key, value, sum FROM row").iterate()) {
		const { kind, owner, key, value, sum } = row;
		if (crc32(String(value), crc32(`${kind}\n${owner}\n${key}\n`)) !== sum) throw damaged(file, `${kind} ${key}`);
	}
}

/** Takes the missing steps in one transaction, after a copy of the file as it was. */
function migrate(file: string, database: DatabaseSync, from: number, migrations: readonly Migration[]): void {
	if (from === migrations.length) return;
	if (from > 0) keepCopy(file, database, from);
	const program = migrations.at(-1)?.program ?? "";
	database.exec("BEGIN IMMEDIATE");
	try {
		for (const { sql } of migrations.slice(from)) database.exec(sql);
		database.prepare("INSERT OR REPLACE INTO about (name, value) VALUES ('program', ?)").run(program);
		database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
		database.exec(`PRAGMA user_version = ${migrations.length}`);
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

/** Not with a copy of the bytes: to open the file a second time would end the lock on it. */
function keepCopy(file: string, database: DatabaseSync, version: number): void {
	const copy = `${file}.v${version}`;
	if (existsSync(copy)) return;
	closeSync(openSync(copy, "wx", 0o600));
	database.prepare("VACUUM INTO ?").run(copy);
}

function limitSize(database: DatabaseSync, maxBytes: number): void {
	database.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / numberOf(database, "page_size"))}`);
}

function numberOf(database: DatabaseSync, pragma: string): number {
	return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
