import { entriesIn } from "./clientFile.ts";
import type { Client, Place } from "./clientTable.ts";

/** A table of servers in the user's file for a project other than this folder. */
export type OtherProject = { readonly project: string; readonly key: readonly string[] };

/** A server of such a table. */
export type Elsewhere = { readonly name: string; readonly project: string };

/** The projects besides this one that the user's file has servers for; commands leave them alone. */
export function otherProjects(client: Client, place: Place, path: string, text: string): OtherProject[] {
	const [table, here, ...rest] = client.projectKey?.(place) ?? [];
	if (table === undefined) return [];
	return Object.keys(entriesIn(client, path, text, [table]))
		.filter((project) => project !== here)
		.map((project) => ({ project, key: [table, project, ...rest] }));
}

/** Names such servers, and what to do about them. */
export function elsewhereText(servers: readonly Elsewhere[]): string {
	const named = servers.map(({ name, project }) => `${name} (${project})`).join(", ");
	return `${servers.length} more in other projects: ${named}; run the command in the project's folder`;
}
