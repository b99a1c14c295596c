import { open } from "node:fs/promises";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { sqliteProblem } from "./sqliteProblem.ts";
import { StoreProblem } from "./storeProblem.ts";
import type { KeptRow, Rows, Table, Tables } from "./tables.ts";

type Found = { readonly key: string; readonly value: string; readonly sum: number };

/** Keeps rows in an open database of the current schema. */
export function sqliteTables(file: string, database: DatabaseSync): Tables {
	const prepared = new Map<string, StatementSync>();
	const sql = (text: string): StatementSync => {
		const known = prepared.get(text);
		if (known !== undefined) return known;
		const made = database.prepare(text);
		prepared.set(text, made);
		return made;
	};
	/** A row that was damaged on the disk is an error, and never a wrong answer. */
	const verified = (table: Table, owner: string, { key, value, sum }: Found): KeptRow => {
		if (sumOf(table, owner, key, value) === sum) return { key, value };
		throw new StoreProblem("DAMAGED", `${file}: the ${table} ${key} is damaged`);
	};
	const rows: Rows = {
		get: (table, owner, key) => {
			const found = attempt(file, () =>
				sql("SELECT key, value, sum FROM row WHERE kind = ? AND owner = ? AND key = ?").get(table, owner, key),
			);
			return found === undefined ? undefined : verified(table, owner, found as Found).value;
		},
		put: (table, owner, key, value) => {
			sql("INSERT OR REPLACE INTO row (kind, owner, key, value, sum) VALUES (?, ?, ?, ?, ?)").run(
				table,
				owner,
				key,
				value,
				sumOf(table, owner, key, value),
			);
		},
		delete: (table, owner, key) => {
			sql("DELETE FROM row WHERE kind = ? AND owner = ? AND key = ?").run(table, owner, key);
		},
		deleteAll: (table, owner) => {
			sql("DELETE FROM row WHERE kind = ? AND owner = ?").run(table, owner);
		},
		list: (table, owner) =>
			attempt(file, () => sql("SELECT key, value, sum FROM row WHERE kind = ? AND owner = ?").all(table, owner)).map(
				(found) => verified(table, owner, found as Found),
			),
	};
	const part = <Result>(work: () => Result): Result => {
		sql("SAVEPOINT part").run();
		try {
			const result = work();
			sql("RELEASE part").run();
			return result;
		} catch (error) {
			// A full disk may have ended the whole transaction already.
			if (database.isTransaction) {
				sql("ROLLBACK TO part").run();
				sql("RELEASE part").run();
			}
			throw error;
		}
	};
	return {
		transact: (work) =>
			attempt(file, () => {
				sql("BEGIN IMMEDIATE").run();
				try {
					work(rows, part);
					sql("COMMIT").run();
				} catch (error) {
					if (database.isTransaction) sql("ROLLBACK").run();
					throw error;
				}
			}),
		rows,
		sync: () => syncLog(`${file}-wal`),
		close: () => database.close(),
	};
}

/** What SQLite itself reports, in our words. */
function attempt<Result>(file: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw error instanceof StoreProblem ? error : sqliteProblem(file, error);
	}
}

function sumOf(table: Table, owner: string, key: string, value: string): number {
	return crc32(value, crc32(`${table}\n${owner}\n${key}\n`));
}

/**
 * Commits reach the write-ahead log without a sync, which would stop this process for as long as the disk takes. The
 * sync is made here instead, in another thread, for all commits at once.
 */
async function syncLog(log: string): Promise<void> {
	const handle = await open(log, "r+").catch((error: NodeJS.ErrnoException) => {
		// Nothing was ever written.
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
	try {
		await handle?.datasync();
	} finally {
		await handle?.close();
	}
}
