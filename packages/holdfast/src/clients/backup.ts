import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readClientFile } from "./clientFile.ts";

/** What a file was before we first changed it, and what we made of it. */
type Backup = { readonly path: string; readonly before: string | null; readonly after: string };

/** Writes a client's file, keeping in `backups` what it was before our first change to it. */
export function writeWithBackup(backups: string, path: string, text: string): void {
	const record = recordFile(backups, path);
	const now = readClientFile(path) ?? null;
	const known = readRecord(record);
	const before = known !== undefined && known.after === now ? known.before : now;
	mkdirSync(backups, { recursive: true, mode: 0o700 });
	writeFileSync(record, JSON.stringify({ path, before, after: text } satisfies Backup), { mode: 0o600 });
	mkdirSync(dirname(path), { recursive: true });
	replaceFile(path, text);
}

/** Puts the file back to what it was; `false` when it has changed since and only an edit can take our part out. */
export function restore(backups: string, path: string): boolean {
	const record = recordFile(backups, path);
	const backup = readRecord(record);
	if (backup === undefined || readClientFile(path) !== backup.after) return false;
	if (backup.before === null) rmSync(path);
	else replaceFile(path, backup.before);
	rmSync(record);
	return true;
}

/** Whole or as it was: these files hold more than we put there. A link stays one, and the mode stays what it is. */
function replaceFile(path: string, text: string): void {
	const known = statSync(path, { throwIfNoEntry: false });
	const target = known === undefined ? path : realpathSync(path);
	const fresh = `${target}.${process.pid}.new`;
	try {
		writeFileSync(fresh, text, { mode: 0o600, flush: true });
		if (known !== undefined) chmodSync(fresh, known.mode & 0o777);
		renameSync(fresh, target);
	} catch (error) {
		rmSync(fresh, { force: true });
		throw error;
	}
}

function recordFile(backups: string, path: string): string {
	return join(backups, `${createHash("sha256").update(path).digest("hex").slice(0, 16)}.json`);
}

function readRecord(file: string): Backup | undefined {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch {
		return undefined;
	}
}
