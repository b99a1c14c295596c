import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readClientFile } from "./clientFile.ts";
import { replaceFile } from "./replaceFile.ts";

/** What a file was before we first changed it, and what we made of it. */
type Backup = { readonly path: string; readonly before: string | null; readonly after: string };

/** Writes a client's file, keeping in `backups` what it was before our first change to it. */
export function writeWithBackup(backups: string, path: string, text: string): void {
	const record = recordFile(backups, path);
	const now = readClientFile(path) ?? null;
	const known = readRecord(record);
	const before = known !== undefined && known.after === now ? known.before : now;
	replaceFile(record, JSON.stringify({ path, before, after: text } satisfies Backup), 0o600);
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
