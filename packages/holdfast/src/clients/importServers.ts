import { isDeepStrictEqual } from "node:util";
import { failureText, plainText, shellWord } from "libmcp/command";
import { checkServer } from "metatools/config";
import { findOriginal, forgetChange, replaceUnchanged, restoreOriginal, type Undo, writeWithBackup } from "./backup.ts";
import { nameFileIn, readClientFile, readEntries } from "./clientFile.ts";
import { CLIENTS, type Client, type ClientId, type NameList, type Place } from "./clientTable.ts";
import { editJsonEntry, readJsonEntries } from "./files/jsonFile.ts";
import { listNotTakenOver, translateEntry, unescapeEntry } from "./importable.ts";
import { isRecord, type ServerEntry } from "./serverEntry.ts";
import { type Elsewhere, findOtherProjects, listSources, type Source } from "./sources.ts";

/** A server in the list of a client. */
export type FoundServer = Source & {
	readonly client: Client;
	readonly name: string;
	readonly entry: ServerEntry;
	/** Members of its entry without a counterpart in the gateway. */
	readonly notTakenOver: readonly string[];
};

export type FoundServers = {
	readonly servers: readonly FoundServer[];
	/** Why servers were left out, and those of `unreadable`. */
	readonly problems: readonly string[];
	/** Why files could not be read; each names the file and the place in it. */
	readonly unreadable: readonly string[];
	/** Servers of other projects, which are imported only in their folders. */
	readonly elsewhere: readonly Elsewhere[];
};

/** Finds the servers in the clients' files, except Holdfast itself; collects problems instead of throwing. */
export function findServers(ids: readonly ClientId[], place: Place, ownName: string): FoundServers {
	const servers: FoundServer[] = [];
	const problems: string[] = [];
	const unreadable: string[] = [];
	const elsewhere = ids.flatMap((id) => serversElsewhere(CLIENTS[id], place, ownName));
	for (const client of ids.map((id) => CLIENTS[id])) {
		for (const { scope, path, key } of listSources(client, place)) {
			const project = scope === "user" ? undefined : place.project;
			const isOff = findSwitchedOff(client, place, scope, unreadable);
			for (const [name, value] of Object.entries(readServers(client, path, key, unreadable))) {
				if (name === ownName) continue;
				try {
					if (isOff(name)) throw new Error(`it is switched off in ${client.title}`);
					const entry = translateEntry(client, value, { place, project });
					servers.push({ client, scope, path, key, name, entry, notTakenOver: listNotTakenOver(value, entry) });
				} catch (error) {
					problems.push(`${name} (${client.title}, ${scope}): ${failureText(error)}`);
				}
			}
		}
	}
	return { servers, problems: [...unreadable, ...problems], unreadable, elsewhere };
}

function serversElsewhere(client: Client, place: Place, ownName: string): Elsewhere[] {
	const path = client.files.user?.(place);
	try {
		const text = path === undefined ? undefined : readClientFile(path);
		if (path === undefined || text === undefined) return [];
		return findOtherProjects(client, place, path, text, (key) =>
			Object.keys(readEntries(client, path, text, key)).filter((name) => name !== ownName),
		);
	} catch {
		// Whoever reads the servers of this project reports what is wrong with the file.
		return [];
	}
}

/** Drops servers that the gateway cannot use, so that the import reports them instead of their status later. */
export function dropUnusable({ servers, problems, ...found }: FoundServers): FoundServers {
	const refused: string[] = [];
	const accepted = servers.filter(({ client, scope, key, name, entry }) => {
		try {
			checkServer(name, toGatewayEntry(entry), key.join("."), process.env);
			return true;
		} catch (error) {
			const reads = listUnsetVariables(entry).map((variable) => `; it reads ${variable}, which is not set here`);
			refused.push(`${name} (${client.title}, ${scope}): ${failureText(error)}${reads.join("")}`);
			return false;
		}
	});
	return { ...found, servers: accepted, problems: [...problems, ...refused] };
}

/** The unset variables that the entry refers to. */
export function listUnsetVariables(entry: ServerEntry): string[] {
	const names = [...JSON.stringify(entry).matchAll(/\$\$|\$\{(\w+):-\}/g)].flatMap(([, name]) => name ?? []);
	return [...new Set(names)].filter((name) => !process.env[name]);
}

/** Tells which servers a client has switched off in separate lists, outside their entries. */
export function findSwitchedOff(client: Client, place: Place, scope: FoundServer["scope"], unreadable: string[]) {
	const namesIn = ({ path, key }: NameList): unknown[] => {
		const found = readServers(client, path, key.slice(0, -1), unreadable)[key.at(-1) ?? ""];
		return Array.isArray(found) ? found : [];
	};
	const off = new Set((client.offLists?.(place, scope) ?? []).flatMap(namesIn));
	const only = client.onList?.(place);
	const on = new Set(only === undefined ? [] : namesIn(only));
	return (name: string): boolean => off.has(name) || (on.size > 0 && !on.has(name));
}

function readServers(
	client: Client,
	path: string,
	key: readonly string[],
	unreadable: string[],
): Record<string, unknown> {
	try {
		return readEntries(client, path, readClientFile(path) ?? "", key);
	} catch (error) {
		const problem = failureText(error);
		if (!unreadable.includes(problem)) unreadable.push(problem);
		return {};
	}
}

export type Added = {
	readonly added: readonly string[];
	/** Names that the gateway's file already had for the same server. */
	readonly kept: readonly string[];
	/** Servers left out because other servers have all their names. */
	readonly refused: readonly FoundServer[];
	/** The servers that are now behind the gateway, with their names there. */
	readonly placed: readonly { readonly server: FoundServer; readonly as: string }[];
};

/**
 * Adds servers to the gateway's file, which only its owner can read. Existing names keep their entries. If another
 * server has the name, in the file or in another client, this one gets its client's name as a suffix.
 */
export function addToGateway(file: string, servers: readonly FoundServer[], backups: string): Added {
	const was = readClientFile(file);
	const text = was ?? "";
	const { fresh, ...rest } = placedIn(readGatewayEntries(file, text), servers);
	// Entries are inserted at the front, so insert in reverse to keep their order.
	const after = [...fresh].toReversed().reduce((edited, [name, value]) => {
		return nameFileIn(file, () => editJsonEntry(edited, ["mcpServers"], name, value));
	}, text);
	if (fresh.size > 0) writeWithBackup(backups, "import", { path: file, before: was, after, mode: 0o600 });
	return { added: [...fresh.keys()], ...rest };
}

/** The names that servers would get in the gateway's file; those that would be refused have none. */
export function nameInGateway(file: string, servers: readonly FoundServer[]): ReadonlyMap<FoundServer, string> {
	return new Map(placedIn(readGatewayEntries(file), servers).placed.map(({ server, as }) => [server, as]));
}

type Placed = Omit<Added, "added"> & { readonly fresh: ReadonlyMap<string, unknown> };

function placedIn(before: Readonly<Record<string, unknown>>, servers: readonly FoundServer[]): Placed {
	const fresh = new Map<string, unknown>();
	const kept = new Set<string>();
	const refused: FoundServer[] = [];
	const placed: Added["placed"][number][] = [];
	for (const server of servers) {
		const value = toGatewayEntry(server.entry);
		const names = namesFor(server);
		const isFree = (name: string): boolean => !Object.hasOwn(before, name) && !fresh.has(name);
		const known = names.find((name) => Object.hasOwn(before, name) && isSame(before[name], value));
		const name = known ?? names.find((one) => isFree(one) || isDeepStrictEqual(fresh.get(one), value));
		if (name === undefined) refused.push(server);
		else placed.push({ server, as: name });
		if (known !== undefined) kept.add(known);
		else if (name !== undefined) fresh.set(name, value);
	}
	return { fresh, kept: [...kept], refused, placed };
}

/** The members that an import writes; a person may have added others to the gateway's entry. */
const TAKEN_OVER: ReadonlySet<string> = new Set([
	"command",
	"args",
	"env",
	"cwd",
	"type",
	"url",
	"headers",
	"oauth",
	"description",
	"include",
	"exclude",
]);

function isSame(present: unknown, value: Readonly<Record<string, unknown>>): boolean {
	const members = Object.entries(isRecord(present) ? present : {}).filter(([name]) => TAKEN_OVER.has(name));
	return isDeepStrictEqual(Object.fromEntries(members), value);
}

/**
 * Takes servers out of the gateway's file, except those that `held` names or that were changed there. Once the last is
 * out, the file is what it was before the first import; one that import made stays, without servers.
 */
export function takeFromGateway(
	file: string,
	servers: readonly FoundServer[],
	held: ReadonlySet<string>,
	backups: string,
): { readonly removed: readonly string[]; readonly left: readonly string[] } {
	const before = readClientFile(file);
	const text = before ?? "";
	const present = readGatewayEntries(file, text);
	const names = servers.flatMap((server) => nameBehind(present, server) ?? []);
	const removed = [...new Set(names)].filter((name) => !held.has(name));
	const after = removed.reduce((edited, name) => editJsonEntry(edited, ["mcpServers"], name, undefined), text);
	const rest = readJsonEntries(after, ["mcpServers"]);
	const isClean = (one: string): boolean => isDeepStrictEqual(readJsonEntries(one, ["mcpServers"]), rest);
	const undo: Undo = { step: "import", path: file, isClean };
	if (removed.length === 0) return { removed, left: Object.keys(present) };
	if (findOriginal(backups, undo) === null) {
		// A gateway that runs takes a file that is gone for one that is being written, and keeps its servers.
		replaceUnchanged({ path: file, before, after: NO_SERVERS });
		forgetChange(backups, undo.step, file);
	} else if (restoreOriginal(backups, undo) === undefined)
		writeWithBackup(backups, "import", { path: file, before, after, mode: 0o600 });
	return { removed, left: Object.keys(present).filter((name) => !removed.includes(name)) };
}

const NO_SERVERS = '{\n  "mcpServers": {}\n}\n';

/** The servers in the gateway's file, by name. */
export function readGatewayEntries(file: string, text = readClientFile(file) ?? ""): Record<string, unknown> {
	return nameFileIn(file, () => readJsonEntries(text, ["mcpServers"]));
}

/** The servers that the gateway's file has with identical entries; none if the file cannot be read. */
export function findBehindGateway(file: string, servers: readonly FoundServer[]): FoundServer[] {
	if (!file.endsWith(".json")) return [];
	try {
		const present = readJsonEntries(readClientFile(file) ?? "", ["mcpServers"]);
		return servers.filter((server) => nameBehind(present, server) !== undefined);
	} catch {
		return [];
	}
}

function nameBehind(present: Readonly<Record<string, unknown>>, server: FoundServer): string | undefined {
	const value = toGatewayEntry(server.entry);
	return namesFor(server).find((name) => isDeepStrictEqual(present[name], value));
}

function namesFor({ name, client, scope }: FoundServer): string[] {
	return [name, `${name}-${client.id}`, `${name}-${client.id}-${scope}`];
}

/** The entry as it is written into the gateway's file. */
export function toGatewayEntry(entry: ServerEntry): Record<string, unknown> {
	const { description, include, exclude } = entry;
	const asides = {
		...(description !== undefined && { description }),
		...(include !== undefined && { include }),
		...(exclude !== undefined && { exclude }),
	};
	if (entry.kind === "url") {
		const { type, url, headers, oauth } = entry;
		return { type, url, ...(Object.keys(headers).length > 0 && { headers }), ...(oauth && { oauth }), ...asides };
	}
	const { command, args, env, cwd } = entry;
	return { command, args, ...(Object.keys(env).length > 0 && { env }), ...(cwd !== undefined && { cwd }), ...asides };
}

/**
 * The whole command as one would type it, so that people can judge it: never shortened, quoted for a shell, and with
 * escapes for characters that a terminal does not show.
 */
export function writeCommandLine(entry: ServerEntry): string {
	const shown = unescapeEntry(entry);
	if (shown.kind === "url") return plainText(shown.url);
	return [shown.command, ...shown.args].map(shellWord).join(" ");
}
