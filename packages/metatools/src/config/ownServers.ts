import { nearest } from "libmcp/command";
import type { Unplaced, UpstreamSpec } from "../upstream/spec.ts";
import { reasonOf, type ServerEntry, section } from "./configFile.ts";
import { expand } from "./expand.ts";
import { SERVER_FIELDS } from "./fileSchema.ts";
import { isSwitchedOff, readServer } from "./servers.ts";

/** Reads the servers of our own file. An unusable one is listed with the reason, so that the others still work. */
export function ownServers(
	entries: readonly ServerEntry[],
	environment: Readonly<Record<string, string | undefined>>,
	warnings: string[],
): Unplaced<UpstreamSpec>[] {
	return entries
		.filter(({ entry }) => !isSwitchedOff(entry))
		.map(({ name, entry, problem }) => {
			const place = `mcpServers.${name}`;
			const ignored = misspeltFields(entry, place);
			try {
				if (problem !== undefined) throw new Error(problem);
				const variables = new Map<string, string>();
				const expanded = expand(entry, environment, place, variables);
				const server = readServer(name, expanded, place, variables);
				warnings.push(...ignored);
				return server;
			} catch (thrown) {
				return {
					kind: "unusable",
					name,
					protocol: "auto",
					reason: [reasonOf(thrown), ...ignored].join("; "),
				};
			}
		});
}

/** Reports only unknown fields that look misspelt: an entry copied from another client may have fields of that client. */
function misspeltFields(entry: unknown, place: string): readonly string[] {
	const unread = Object.keys(section(entry)).filter((name) => !SERVER_FIELDS.includes(name));
	return unread.flatMap((name) => {
		const meant = nearest(name, SERVER_FIELDS);
		return meant === undefined ? [] : [`${place}.${name} is ignored; did you mean ${meant}?`];
	});
}
