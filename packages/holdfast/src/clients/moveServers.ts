import { failureText } from "libmcp/command";
import { allTaken, forget, replaceUnchanged, restore, type Step, takenFrom, writeWithBackup } from "./backup.ts";
import { editEntry, entriesIn, inTable, readClientFile } from "./clientFile.ts";
import type { Client, Place } from "./clientTable.ts";
import type { Added, FoundServer } from "./importServers.ts";
import { keysIn, type Source, sourcesOf } from "./sources.ts";
import { undoBeneath } from "./undoBeneath.ts";

/** A server that was put back into its client's list; `as` is its name behind the gateway. */
export type GivenBack = Pick<FoundServer, "path" | "name"> & { readonly as: string };

export type Moved = {
	readonly moved: readonly Pick<FoundServer, "path" | "name">[];
	/** Servers that could not be taken out of their file, each with the reason. */
	readonly left: readonly string[];
};

/** Takes servers that are now behind the gateway out of their clients' lists, writing each list once. */
export function takeOut(backups: string, placed: Added["placed"], { project }: Place): Moved {
	const moved: FoundServer[] = [];
	const left: string[] = [];
	const stays = ({ name, client, scope }: FoundServer, why: unknown) =>
		left.push(`${name} (${client.title}, ${scope}): ${failureText(why)}`);
	const lists = Map.groupBy(placed, ({ server: { path, key } }) => JSON.stringify([path, key]));
	for (const list of lists.values()) {
		try {
			moved.push(...takeOutOfOne(backups, list, project, stays));
		} catch (error) {
			for (const { server } of list) stays(server, error);
		}
	}
	return { moved: moved.map(({ path, name }) => ({ path, name })), left };
}

function takeOutOfOne(
	backups: string,
	list: Added["placed"],
	project: string,
	stays: (server: FoundServer, why: unknown) => void,
): FoundServer[] {
	const [first] = list;
	if (first === undefined) return [];
	const { client, path, key, scope } = first.server;
	const before = readClientFile(path) ?? "";
	const entries = entriesIn(client, path, before, key);
	const gone: Added["placed"][number][] = [];
	const after = inTable(client, path, before, key, (part, at) =>
		list.reduce((rest, one) => {
			try {
				const edited = editEntry(client, path, rest, at, one.server.name, undefined);
				gone.push(one);
				return edited;
			} catch (error) {
				stays(one.server, error);
				return rest;
			}
		}, part),
	);
	const where = scope === "user" ? {} : { project };
	const taken = Object.fromEntries(
		gone.map(({ server: { name }, as }) => [name, { value: entries[name], as, ...where }]),
	);
	if (gone.length > 0) writeWithBackup(backups, stepOf(first.server), { path, before, after }, taken);
	return gone.map(({ server }) => server);
}

/** Puts servers back into the client's lists; an unchanged file is restored byte for byte. */
export function giveBack(backups: string, client: Client, place: Place): GivenBack[] {
	// Last change first, since two lists may be in one file.
	const sources = sourcesOf(client, place);
	return sources.toReversed().flatMap((source) => giveBackTo(backups, client, source, keysIn(sources, source.path)));
}

function giveBackTo(
	backups: string,
	client: Client,
	source: Source,
	keys: readonly (readonly string[])[],
): GivenBack[] {
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
	const undo = { step, path, isClean: (text: string) => missingIn(text).length === 0 };
	if (restore(backups, undo) === undefined) {
		const isDone = undoBeneath(backups, client, undo, keys);
		// JSON entries are inserted at the front, so insert in reverse to keep their order.
		const order = client.format === "json" ? missing.toReversed() : missing;
		const edit = (part: string, at: readonly string[]) =>
			order.reduce((text, name) => editEntry(client, path, text, at, name, taken[name]?.value), part);
		if (missing.length > 0 && !isDone)
			replaceUnchanged({ path, before, after: inTable(client, path, before ?? "", key, edit) });
		forget(backups, step, path);
	}
	return missing.map((name) => ({ path, name, as: taken[name]?.as ?? name }));
}

/** The gateway's names of servers that were taken out of a client's list and not put back. */
export function stillTaken(backups: string): Set<string> {
	return new Set(allTaken(backups).flatMap(({ taken }) => Object.values(taken).map(({ as }) => as)));
}

/** Servers taken out of lists for other project folders; they can only be put back from there. */
export function takenElsewhere(
	backups: string,
	place: Place,
): (Pick<FoundServer, "path" | "name"> & { project: string })[] {
	return allTaken(backups).flatMap(({ path, taken }) =>
		Object.entries(taken).flatMap(([name, { project }]) =>
			project === undefined || project === place.project ? [] : [{ path, name, project }],
		),
	);
}

export function stepOf({ scope, key }: Source): Step {
	return scope === "local" ? `move in ${key.join(" ")}` : "move";
}
