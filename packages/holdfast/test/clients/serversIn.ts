import { readEntries } from "../../src/clients/clientFile.ts";
import type { Client } from "../../src/clients/clientTable.ts";
import { fromClientEntry, type ServerEntry } from "../../src/clients/serverEntry.ts";

/** The servers a client's file names, in its order. */
export function serversIn(client: Client, path: string, text: string): ReadonlyMap<string, ServerEntry> {
	const found = new Map<string, ServerEntry>();
	for (const [name, value] of Object.entries(readEntries(client, path, text))) {
		const entry = fromClientEntry(client, value);
		if (entry !== undefined) found.set(name, entry);
	}
	return found;
}
