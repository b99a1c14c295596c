import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { failureText } from "libmcp/launch";
import { entriesIn, readClientFile } from "../clients/clientFile.ts";
import { CLIENT_IDS, CLIENTS, type Place } from "../clients/clientTable.ts";
import { sourcesOf } from "../clients/importServers.ts";
import { fromClientEntry } from "../clients/serverEntry.ts";
import { unwrapped } from "../clients/wrapServers.ts";
import { bad, type Finding, good, warn } from "./finding.ts";

/** Checks that the commands in clients' files that start Holdfast still exist: Node and checkouts get moved. */
export function clientFindings(place: Place, ownName: string): Finding[] {
	const found = CLIENT_IDS.map((id) => CLIENTS[id]).flatMap((client) =>
		sourcesOf(client, place).flatMap(({ path, key }): Finding[] => {
			try {
				const entries = Object.entries(entriesIn(client, path, readClientFile(path) ?? "", key));
				return entries.flatMap(([name, value]): Finding[] => {
					const entry = fromClientEntry(client, value);
					if (entry?.kind !== "command") return [];
					const isWrapped = unwrapped(entry) !== undefined;
					if (name !== ownName && !isWrapped) return [];
					const words = [entry.command, ...entry.args.slice(0, 1)];
					const gone = words.find((word) => isAbsolute(word) && !existsSync(word));
					const what = isWrapped ? "has a host before it" : "starts the gateway";
					if (gone === undefined) return [good(client.id, `${path}: ${name} ${what}`)];
					const again = isWrapped
						? `holdfast wrap ${client.id} --undo, then without --undo`
						: `holdfast install ${client.id}`;
					return [bad(client.id, `${path}: ${name} starts ${gone}, which does not exist`, again)];
				});
			} catch (error) {
				return [warn(client.id, failureText(error), `correct the file: ${client.title} cannot read it either`)];
			}
		}),
	);
	// Two lists may be in one file, which is broken once.
	return found.filter((one, at) => found.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}
