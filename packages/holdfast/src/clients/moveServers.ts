import { failureText } from "libmcp/command";
import {
	forgetChange,
	listAllTaken,
	listTaken,
	replaceUnchanged,
	restoreOriginal,
	type Step,
	undoBeneath,
	writeWithBackup,
} from "./backup.ts";
import { editEntry, editTable, readClientFile, readEntries } from "./clientFile.ts";
import type { Client, Place } from "./clientTable.ts";
import type { Added, FoundServer } from "./importServers.ts";
import { isRecord, readCommand } from "./serverEntry.ts";
import { listKeys, listSources, type Source } from "./sources.ts";
import { type Keeps, unwrapCommand } from "./wrapServers.ts";

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
	const entries = readEntries(client, path, before, key);
	const gone: Added["placed"][number][] = [];
	const after = editTable(client, path, before, key, (part, at) =>
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
	if (gone.length > 0) writeWithBackup(backups, nameStep(first.server), { path, before, after }, taken);
	return gone.map(({ server }) => server);
}

/** Puts servers back into the client's lists; an unchanged file is restored byte for byte. */
export function giveBack(backups: string, client: Client, place: Place): GivenBack[] {
	// Last change first, since two lists may be in one file.
	const sources = listSources(client, place);
	return sources.toReversed().flatMap((source) => giveBackTo(backups, client, source, listKeys(sources, source.path)));
}

function giveBackTo(
	backups: string,
	client: Client,
	source: Source,
	keys: readonly (readonly string[])[],
): GivenBack[] {
	const { path, key } = source;
	const step = nameStep(source);
	const taken = listTaken(backups, step, path);
	const names = Object.keys(taken);
	const missingIn = (text: string): string[] => {
		const present = readEntries(client, path, text, key);
		return names.filter((name) => !Object.hasOwn(present, name));
	};
	const before = readClientFile(path);
	const missing = missingIn(before ?? "");
	const undo = { step, path, isClean: (text: string) => missingIn(text).length === 0 };
	if (restoreOriginal(backups, undo) === undefined) {
		const isDone = undoBeneath(backups, client, undo, keys);
		// JSON entries are inserted at the front, so insert in reverse to keep their order.
		const order = client.format === "json" ? missing.toReversed() : missing;
		const edit = (part: string, at: readonly string[]) =>
			order.reduce((text, name) => editEntry(client, path, text, at, name, taken[name]?.value), part);
		if (missing.length > 0 && !isDone)
			replaceUnchanged({ path, before, after: editTable(client, path, before ?? "", key, edit) });
		forgetChange(backups, step, path);
	}
	return missing.map((name) => ({ path, name, as: taken[name]?.as ?? name }));
}

/** The gateway's names of servers that were taken out of a client's list and not put back. */
export function listStillTaken(backups: string): Set<string> {
	return new Set(listAllTaken(backups).flatMap(({ taken }) => Object.values(taken).map(({ as }) => as)));
}

/** Servers taken out of lists for other project folders; they can only be put back from there. */
export function listTakenElsewhere(
	backups: string,
	place: Place,
): (Pick<FoundServer, "path" | "name"> & { project: string })[] {
	return listAllTaken(backups).flatMap(({ path, taken }) =>
		Object.entries(taken).flatMap(([name, { project }]) =>
			project === undefined || project === place.project ? [] : [{ path, name, project }],
		),
	);
}

function nameStep({ scope, key }: Source): Step {
	return scope === "local" ? `move in ${key.join(" ")}` : "move";
}

/** The servers that were moved out of a list together with hosts of ours; undoing the move brings back both. */
export function listHostsMovedOut(backups: string, list: Source, keeps: Keeps): string[] {
	const taken = Object.entries(listTaken(backups, nameStep(list), list.path));
	return taken.flatMap(([name, { value }]) => (isWrapped(value) && !keeps(list.key, name) ? [name] : []));
}

function isWrapped(entry: unknown): boolean {
	const { command, args = [] } = readCommand(isRecord(entry) ? entry : {});
	return (
		typeof command === "string" &&
		Array.isArray(args) &&
		unwrapCommand({ command, args: args.map(String) }) !== undefined
	);
}
