import { DatabaseSync } from "node:sqlite";
import { existingFile } from "./existingFile.ts";
import { failedFor, SQLITE_BUSY } from "./writeLock.ts";

/**
 * Whether any process, this one included, has the index file open. With a write-ahead log, SQLite keeps a lock on the
 * file for each connection; the system releases it when the process ends for any reason.
 */
export function isIndexOpen(file: string): boolean {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(existingFile(file));
		database.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema");
		return false;
	} catch (cause) {
		// What cannot be read at all is nobody's index.
		return failedFor(cause, SQLITE_BUSY);
	} finally {
		database?.close();
	}
}
