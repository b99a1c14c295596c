import {
	type Change,
	forgetChange,
	replaceUnchanged,
	restoreOriginal,
	undoBeneath,
	writeWithBackup,
} from "./backup.ts";
import { readClientFile, setServer } from "./clientFile.ts";
import { type Client, type Place, SCOPES, type Scope } from "./clientTable.ts";
import type { ServerEntry } from "./serverEntry.ts";
import { listKeys, listSources } from "./sources.ts";

/** The change to the client's file that an installation makes. */
export function planInstall(client: Client, place: Place, scope: Scope, name: string, entry: ServerEntry): Change {
	const path = findClientFile(client, place, scope);
	const before = readClientFile(path);
	return { path, before, after: setServer(client, path, before ?? "", name, entry) };
}

/** Writes the planned file unless it is unchanged. */
export function applyChange(change: Change, backups: string): "written" | "unchanged" {
	if (change.after === change.before) return "unchanged";
	writeWithBackup(backups, "install", change);
	return "written";
}

/** Restores the original file or, if others have changed it since, removes only Holdfast's entry. */
export function uninstall(
	client: Client,
	place: Place,
	scope: Scope,
	name: string,
	backups: string,
): "restored" | "deleted" | "removed" | "absent" {
	const path = findClientFile(client, place, scope);
	const text = readClientFile(path);
	// Of the entries only Holdfast's own is read: what is wrong with another must not keep it in the file.
	const isClean = (one: string): boolean => setServer(client, path, one, name, undefined) === one;
	if (text === undefined || isClean(text)) {
		forgetChange(backups, "install", path);
		return "absent";
	}
	const undo = { step: "install", path, isClean } as const;
	const was = restoreOriginal(backups, undo);
	if (was !== undefined) return was;
	if (!undoBeneath(backups, client, undo, listKeys(listSources(client, place), path)))
		replaceUnchanged({ path, before: text, after: setServer(client, path, text, name, undefined) });
	forgetChange(backups, "install", path);
	return "removed";
}

export function findClientFile(client: Client, place: Place, scope: Scope): string {
	const file = client.files[scope];
	if (file === undefined) {
		const known = SCOPES.filter((other) => client.files[other] !== undefined).join(", ");
		throw new Error(`${client.title} has no ${scope} configuration; its scopes: ${known}`);
	}
	return file(place);
}
