import { keyIn, readClientFile } from "./clientFile.ts";
import { type Client, type Place, SCOPES, type Scope } from "./clientTable.ts";

/** A table of servers in a client's file. */
export type Source = {
	/** `local`: for one project, in the user's own file. */
	readonly scope: Scope | "local";
	readonly path: string;
	/** The path of keys to the table. */
	readonly key: readonly string[];
};

/** The tables of servers that a client reads in this folder. */
export function sourcesOf(client: Client, place: Place): Source[] {
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
export function keysIn(sources: readonly Source[], path: string): (readonly string[])[] {
	return sources.flatMap((source) => (source.path === path ? [source.key] : []));
}

/** Falls back to the old layout when the file cannot be read; whoever reads its entries reports that. */
function keyOf(client: Client, path: string): readonly string[] {
	try {
		return keyIn(client, path, readClientFile(path) ?? "");
	} catch {
		return client.key;
	}
}
