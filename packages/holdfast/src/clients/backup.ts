import { createHash } from "node:crypto";
import { readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ifPresent, inTurn, replaceFile } from "libmcp/command";
import { findFolders } from "../config/installation.ts";
import { editEntry, readClientFile, readEntries } from "./clientFile.ts";
import type { Client } from "./clientTable.ts";
import { isRecord } from "./serverEntry.ts";

/** A planned change of a file; `before` is `undefined` for a new file, and without `mode` its mode is kept. */
export type Change = {
	readonly path: string;
	readonly before: string | undefined;
	readonly after: string;
	readonly mode?: number | undefined;
};

/** The kind of change, and for which project: each kind is undone separately from the others. */
export type Step = "install" | "wrap" | `wrap in ${string}` | "move" | `move in ${string}` | "import";

/** Entries that were moved out of a file, by name. */
type Taken = Readonly<
	Record<
		string,
		{
			/** The entry as it was in the file. */
			readonly value: unknown;
			/** The server's name behind the gateway. */
			readonly as: string;
			/** The project folder that the entry was for, and from which it can be put back. */
			readonly project?: string;
		}
	>
>;

/** A file before Holdfast's first change of a kind, and after its last. */
type Backup = {
	readonly path: string;
	/** Missing in records of versions that did not note it. */
	readonly step?: Step;
	readonly before: string | null;
	readonly after: string;
	readonly taken?: Taken;
};

/** Writes a client's or the gateway's file, and keeps in `backups` the file from before the first such change. */
export function writeWithBackup(
	backups: string,
	step: Step,
	{ path, before, after, mode }: Change,
	taken?: Taken,
): void {
	const record = nameRecordFile(backups, step, path);
	const known = readRecord(record);
	const first = known !== undefined && known.after === before ? known.before : (before ?? null);
	const all = taken && { taken: { ...known?.taken, ...taken } };
	keepRecord(record, { path, step, before: first, after, ...all });
	try {
		replaceUnchanged({ path, before, after, mode });
	} catch (error) {
		// The file was not changed, so there is nothing to undo.
		if (known === undefined) rmSync(record);
		else keepRecord(record, known);
		throw error;
	}
}

/** Writes a file without a backup, unless it is no longer what the change was planned for. */
export function replaceUnchanged({ path, before, after, mode }: Change): void {
	replaceFile(path, after, mode, () => {
		if (readClientFile(path) !== before)
			throw new Error(`${path}: another program has just written it; run the command again`);
	});
}

export type Undo = {
	readonly step: Step;
	readonly path: string;
	/** Whether a text has none of Holdfast's entries; a backup may contain some. A missing file is "". */
	readonly isClean: (text: string) => boolean;
};

/** What is kept of a file's changes of that kind, if there were any. */
export function readBackup(backups: string, step: Step, path: string): Backup | undefined {
	return readRecord(nameRecordFile(backups, step, path));
}

/** The original file, or `null` if there was none; `undefined` if the file has changed since and must be edited. */
export function findOriginal(backups: string, { step, path, isClean }: Undo): string | null | undefined {
	const backup = readBackup(backups, step, path);
	if (backup === undefined || readClientFile(path) !== backup.after) return undefined;
	return isClean(backup.before ?? "") ? backup.before : undefined;
}

/** Restores the original file, or deletes it if there was none; `undefined` when the original is not known. */
export function restoreOriginal(backups: string, undo: Undo): "restored" | "deleted" | undefined {
	const before = readClientFile(undo.path);
	const original = findOriginal(backups, undo);
	if (original === undefined) return undefined;
	// A link stays; Holdfast created only the file that it leads to.
	if (original === null) rmSync(realpathSync(undo.path));
	else replaceUnchanged({ path: undo.path, before, after: original });
	forgetChange(backups, undo.step, undo.path);
	return original === null ? "deleted" : "restored";
}

/** The texts from before all wraps of a file that are not undone yet, in whichever folder they were made. */
export function listTextsBeforeWraps(backups: string, path: string): string[] {
	return [...listRecords(backups, path).values()].flatMap(({ step, before }) =>
		step?.startsWith("wrap") === true && before !== null ? [before] : [],
	);
}

/** The entries that a step has moved out of a file and that are not back yet. */
export function listTaken(backups: string, step: Step, path: string): Taken {
	return readBackup(backups, step, path)?.taken ?? {};
}

/** Like `takenFrom`, for all steps and files. */
export function listAllTaken(backups: string): { readonly path: string; readonly taken: Taken }[] {
	return [...allRecords(backups).values()].flatMap(({ path, taken }) => (taken === undefined ? [] : [{ path, taken }]));
}

/** The records of all changes to a file, by the record's own file. */
function listRecords(backups: string, path: string): Map<string, Backup> {
	return new Map([...allRecords(backups)].filter(([, record]) => record.path === path));
}

function keepRecord(file: string, record: Backup): void {
	replaceFile(file, JSON.stringify(record), 0o600);
}

export function forgetChange(backups: string, step: Step, path: string): void {
	rmSync(nameRecordFile(backups, step, path), { force: true });
}

/** Drops the records of changes that are not in the file any more: it is what it was before them. */
export function forgetUndone(backups: string, path: string): void {
	const text = readClientFile(path);
	for (const [file, { before, taken }] of listRecords(backups, path))
		if (before === text && taken === undefined) rmSync(file, { force: true });
}

function allRecords(backups: string): Map<string, Backup> {
	const names = ifPresent(() => readdirSync(backups)) ?? [];
	// A command that was killed may have left a record that it had not put in place.
	const files = names.filter(isRecordName).map((name) => join(backups, name));
	return new Map(
		files.flatMap((file) => {
			const record = readRecord(file);
			return record === undefined ? [] : [[file, record] as const];
		}),
	);
}

function nameRecordFile(backups: string, step: Step, path: string): string {
	const name = createHash("sha256")
		.update(JSON.stringify([path, step]))
		.digest("hex");
	return join(backups, `${name.slice(0, 16)}.json`);
}

function isRecordName(name: string): boolean {
	return /^[0-9a-f]{16}\.json$/.test(name);
}

/** Throws for a record that is there and cannot be used: it may be all that is left of servers that were moved. */
function readRecord(file: string): Backup | undefined {
	const text = readClientFile(file);
	if (text === undefined) return undefined;
	const value = parsed(text);
	if (isBackup(value)) return value;
	throw new Error(`${file}: this backup is damaged; to go on without it, move it away`);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isBackup(value: unknown): value is Backup {
	return (
		isRecord(value) &&
		typeof value.path === "string" &&
		(value.before === null || typeof value.before === "string") &&
		typeof value.after === "string" &&
		(value.taken === undefined || isTaken(value.taken))
	);
}

function isTaken(value: unknown): value is Taken {
	return (
		isRecord(value) &&
		Object.values(value).every(
			(one) =>
				isRecord(one) && typeof one.as === "string" && (one.project === undefined || typeof one.project === "string"),
		)
	);
}

/**
 * Undoes a change on which only other changes of Holdfast's lie, as if they had been made without it, so that undoing
 * these too gives the original byte for byte. False if others have edited the file, and nothing is done.
 */
export function undoBeneath(
	backups: string,
	client: Client,
	{ step, path, isClean }: Undo,
	keys: readonly (readonly string[])[],
): boolean {
	const own = nameRecordFile(backups, step, path);
	const records = listRecords(backups, path);
	const beneath = records.get(own);
	if (beneath === undefined || beneath.before === null || !isClean(beneath.before)) return false;
	const current = readClientFile(path);
	const later = new Map<string, Backup>();
	let [was, text] = [beneath.after, beneath.before];
	while (was !== current) {
		const [file, next] = [...records].find(([one, { before }]) => before === was && one !== own) ?? [];
		// Each is passed once: two that undo each other would go on for ever.
		if (file === undefined || next === undefined || later.has(file)) return false;
		const replay = (onto: string) => replayChanges(client, path, keys, { from: was, to: next.after, onto });
		// What cannot be told by entries of these tables alone, such as a host in front of a server, is not replayed.
		if (replay(was) !== next.after) return false;
		const again = replay(text);
		later.set(file, { ...next, before: text, after: again });
		[was, text] = [next.after, again];
	}
	replaceUnchanged({ path, before: current, after: text });
	for (const [file, record] of later) keepRecord(file, record);
	return true;
}

/** Sets the entries in `onto` that `to` has and `from` has not, and the other way round. */
function replayChanges(
	client: Client,
	path: string,
	keys: readonly (readonly string[])[],
	{ from, to, onto }: { readonly from: string; readonly to: string; readonly onto: string },
): string {
	let text = onto;
	for (const key of keys) {
		const [had, has] = [readEntries(client, path, from, key), readEntries(client, path, to, key)];
		for (const name of new Set([...Object.keys(had), ...Object.keys(has)]))
			if (!isDeepStrictEqual(had[name], has[name])) text = editEntry(client, path, text, key, name, has[name]);
	}
	return text;
}

/** Makes a change to agents' files, the gateway's file or their backups while no other command makes one. */
export async function changeAlone<Value>(change: () => Value): Promise<Value> {
	return inTurn(join(findFolders().state, "changing"), change);
}
