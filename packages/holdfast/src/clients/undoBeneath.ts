import { isDeepStrictEqual } from "node:util";
import { type Backup, keepRecord, recordFile, recordsOf, replaceUnchanged, type Undo } from "./backup.ts";
import { editEntry, entriesIn, readClientFile } from "./clientFile.ts";
import type { Client } from "./clientTable.ts";

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
	const own = recordFile(backups, step, path);
	const records = recordsOf(backups, path);
	const beneath = records.get(own);
	if (beneath === undefined || beneath.before === null || !isClean(beneath.before)) return false;
	const current = readClientFile(path);
	const later = new Map<string, Backup>();
	let [was, text] = [beneath.after, beneath.before];
	while (was !== current) {
		const [file, next] = [...records].find(([one, { before }]) => before === was && one !== own) ?? [];
		// Each is passed once: two that undo each other would go on for ever.
		if (file === undefined || next === undefined || later.has(file)) return false;
		const replay = (onto: string) => replayed(client, path, keys, { from: was, to: next.after, onto });
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
function replayed(
	client: Client,
	path: string,
	keys: readonly (readonly string[])[],
	{ from, to, onto }: { readonly from: string; readonly to: string; readonly onto: string },
): string {
	let text = onto;
	for (const key of keys) {
		const [had, has] = [entriesIn(client, path, from, key), entriesIn(client, path, to, key)];
		for (const name of new Set([...Object.keys(had), ...Object.keys(has)]))
			if (!isDeepStrictEqual(had[name], has[name])) text = editEntry(client, path, text, key, name, has[name]);
	}
	return text;
}
