import { entriesIn } from "./clientFile.ts";
import type { Client, Place } from "./clientTable.ts";

/** A server that the user's file has for a project other than this folder. */
export type Elsewhere = { readonly name: string; readonly project: string };

/** Servers of the projects besides this one; commands leave them alone. `namesIn` says which of a table's are meant. */
export function otherProjects(
	client: Client,
	place: Place,
	path: string,
	text: string,
	namesIn: (key: readonly string[]) => readonly string[],
): Elsewhere[] {
	const [table, here, ...rest] = client.projectKey?.(place) ?? [];
	if (table === undefined) return [];
	return Object.keys(entriesIn(client, path, text, [table]))
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
export function elsewhereText(servers: readonly Elsewhere[]): string {
	const named = servers.map(({ name, project }) => `${name} (${project})`).join(", ");
	return `${servers.length} more in other projects: ${named}; run the command in the project's folder`;
}
