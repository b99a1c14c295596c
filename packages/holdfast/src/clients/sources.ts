import { existsSync } from "node:fs";
import { findKey, readClientFile, readEntries } from "./clientFile.ts";
import { CLIENT_IDS, CLIENTS, type Client, type ClientId, type Place, SCOPES, type Scope } from "./clientTable.ts";

/** A table of servers in a client's file. */
export type Source = {
	/** `local`: for one project, in the user's own file. */
	readonly scope: Scope | "local";
	readonly path: string;
	/** The path of keys to the table. */
	readonly key: readonly string[];
};

/** The tables of servers that a client reads in this folder. */
export function listSources(client: Client, place: Place): Source[] {
	const path = client.files.user?.(place);
	const local = client.projectKey?.(place);
	const files = SCOPES.flatMap((scope) => {
		const found = client.files[scope]?.(place);
		// In the home folder, the project's file may be the user's.
		return found === undefined || (scope === "project" && found === path)
			? []
			: [{ scope, path: found, key: keyOf(client, found) }];
	});
	return path === undefined || local === undefined ? files : [...files, { scope: "local", path, key: local }];
}

/** The paths of keys to the tables that one file has among these. */
export function listKeys(sources: readonly Source[], path: string): (readonly string[])[] {
	return sources.flatMap((source) => (source.path === path ? [source.key] : []));
}

/** Falls back to the old layout when the file cannot be read; whoever reads its entries reports that. */
function keyOf(client: Client, path: string): readonly string[] {
	try {
		return findKey(client, path, readClientFile(path) ?? "");
	} catch {
		return client.key;
	}
}

type FoundClient = {
	readonly id: ClientId;
	/** How many other servers its files name; `undefined` if a file cannot be read. */
	readonly servers: number | undefined;
};

/** The clients that have a file on this machine. */
export function findClients(place: Place, ownName: string): FoundClient[] {
	return CLIENT_IDS.flatMap((id): FoundClient[] => {
		const client = CLIENTS[id];
		const sources = listSources(client, place).filter(({ path }) => existsSync(path));
		if (sources.length === 0) return [];
		try {
			const names = sources.flatMap(({ path, key }) =>
				Object.keys(readEntries(client, path, readClientFile(path) ?? "", key)),
			);
			return [{ id, servers: names.filter((name) => name !== ownName).length }];
		} catch {
			return [{ id, servers: undefined }];
		}
	});
}

/** A server that the user's file has for a project other than this folder. */
export type Elsewhere = { readonly name: string; readonly project: string };

/** Servers of the projects besides this one; commands leave them alone. `namesIn` says which of a table's are meant. */
export function findOtherProjects(
	client: Client,
	place: Place,
	path: string,
	text: string,
	namesIn: (key: readonly string[]) => readonly string[],
): Elsewhere[] {
	const [table, here, ...rest] = client.projectKey?.(place) ?? [];
	if (table === undefined) return [];
	return Object.keys(readEntries(client, path, text, [table]))
		.filter((project) => project !== here)
		.flatMap((project) => {
			try {
				return namesIn([table, project, ...rest]).map((name) => ({ name, project }));
			} catch {
				// What is wrong with another project's table must not hinder those who work in this one.
				return [];
			}
		});
}

/** Names such servers, and what to do about them. */
export function describeElsewhere(servers: readonly Elsewhere[]): string {
	const named = servers.map(({ name, project }) => `${name} (${project})`).join(", ");
	return `${servers.length} more in other projects: ${named}; run the command in the project's folder`;
}
