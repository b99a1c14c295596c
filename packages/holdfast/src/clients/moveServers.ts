import { allTaken, forget, restore, type Step, takenFrom, writeWithBackup } from "./backup.ts";
import { editEntry, entriesIn, readClientFile } from "./clientFile.ts";
import type { Client, Place } from "./clientTable.ts";
import { type FoundServer, type Source, sourcesOf } from "./importServers.ts";

/** A server that is in its client's list again; `as` is its name behind the gateway. */
export type GivenBack = Pick<FoundServer, "path" | "name"> & { readonly as: string };

/** Takes a server that the gateway has under the name `as` out of its client's list. */
export function takeOut(backups: string, server: FoundServer, as: string): void {
	const { client, path, key, name } = server;
	const before = readClientFile(path) ?? "";
	const { [name]: value } = entriesIn(client, path, before, key);
	const after = editEntry(client, path, before, key, name, undefined);
	writeWithBackup(backups, stepOf(server), { path, before, after }, { [name]: { value, as } });
}

/** Puts back what was taken out of the client's lists: byte for byte where nobody has touched the file since. */
export function giveBack(backups: string, client: Client, place: Place): GivenBack[] {
	// The list that was changed last comes first, since two may be in one file.
	return sourcesOf(client, place)
		.toReversed()
		.flatMap((source) => giveBackTo(backups, client, source));
}

function giveBackTo(backups: string, client: Client, source: Source): GivenBack[] {
	const { path, key } = source;
	const step = stepOf(source);
	const taken = takenFrom(backups, step, path);
	const names = Object.keys(taken);
	const missingIn = (text: string): string[] => {
		const present = entriesIn(client, path, text, key);
		return names.filter((name) => !Object.hasOwn(present, name));
	};
	const before = readClientFile(path);
	const missing = missingIn(before ?? "");
	if (restore(backups, { step, path, isClean: (text) => missingIn(text).length === 0 }) === undefined) {
		// In JSON each goes in front of the others, so the last is put there first.
		const order = client.format === "json" ? missing.toReversed() : missing;
		const after = order.reduce(
			(text, name) => editEntry(client, path, text, key, name, taken[name]?.value),
			before ?? "",
		);
		if (missing.length > 0) writeWithBackup(backups, "undo", { path, before, after });
		forget(backups, step, path);
	}
	return missing.map((name) => ({ path, name, as: taken[name]?.as ?? name }));
}

/** Names of servers behind the gateway that some client's list is still without. */
export function stillTaken(backups: string): Set<string> {
	return new Set(allTaken(backups).flatMap((taken) => Object.values(taken).map(({ as }) => as)));
}

function stepOf({ scope, key }: Source): Step {
	return scope === "local" ? `move in ${key.join(" ")}` : "move";
}
