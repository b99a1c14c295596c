import { existsSync } from "node:fs";
import { entriesIn, readClientFile } from "./clientFile.ts";
import { CLIENT_IDS, CLIENTS, type ClientId, type Place } from "./clientTable.ts";
import { sourcesOf } from "./sources.ts";

export type FoundClient = {
	readonly id: ClientId;
	/** How many other servers its files name; `undefined` if a file cannot be read. */
	readonly servers: number | undefined;
};

/** The clients that have a file on this machine. */
export function foundClients(place: Place, ownName: string): FoundClient[] {
	return CLIENT_IDS.flatMap((id): FoundClient[] => {
		const client = CLIENTS[id];
		const sources = sourcesOf(client, place).filter(({ path }) => existsSync(path));
		if (sources.length === 0) return [];
		try {
			const names = sources.flatMap(({ path, key }) =>
				Object.keys(entriesIn(client, path, readClientFile(path) ?? "", key)),
			);
			return [{ id, servers: names.filter((name) => name !== ownName).length }];
		} catch {
			return [{ id, servers: undefined }];
		}
	});
}
