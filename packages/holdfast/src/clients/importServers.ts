import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { failureText } from "../failureText.ts";
import { readClientFile, serversIn } from "./clientFile.ts";
import { CLIENTS, type Client, type ClientId, type Place, SCOPES, type Scope } from "./clientTable.ts";
import { editJsonEntry, readJsonEntries } from "./jsonFile.ts";
import type { ServerEntry } from "./serverEntry.ts";

/** A server some client starts by itself today. */
export type FoundServer = {
	readonly client: Client;
	readonly scope: Scope;
	readonly path: string;
	readonly name: string;
	readonly entry: ServerEntry;
};

export type FoundFile = { readonly servers: readonly FoundServer[]; readonly problems: readonly string[] };

/** Every server in the clients' files, our own entry left out; a file that cannot be read is a problem, not an end. */
export function findServers(ids: readonly ClientId[], place: Place, ownName: string): FoundFile {
	const servers: FoundServer[] = [];
	const problems: string[] = [];
	for (const client of ids.map((id) => CLIENTS[id])) {
		for (const scope of SCOPES) {
			const path = client.files[scope]?.(place);
			if (path === undefined) continue;
			try {
				for (const [name, entry] of serversIn(client, path, readClientFile(path) ?? "")) {
					if (name !== ownName) servers.push({ client, scope, path, name, entry });
				}
			} catch (error) {
				problems.push(failureText(error));
			}
		}
	}
	return { servers, problems };
}

/** Puts servers into the gateway's file, readable by its owner alone; one already there under that name is kept. */
export function addToGateway(file: string, servers: readonly FoundServer[]): { added: string[]; kept: string[] } {
	let text = readClientFile(file) ?? "";
	const added: string[] = [];
	const kept: string[] = [];
	for (const { name, entry } of servers) {
		if (name in readJsonEntries(text, ["mcpServers"])) {
			kept.push(name);
			continue;
		}
		text = editJsonEntry(text, ["mcpServers"], name, gatewayEntry(entry));
		added.push(name);
	}
	if (added.length === 0) return { added, kept };
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	writeFileSync(file, text, { mode: 0o600 });
	// The mode above is for a new file only; secrets may just have moved into an old one.
	chmodSync(file, 0o600);
	return { added, kept };
}

function gatewayEntry(entry: ServerEntry): Record<string, unknown> {
	if (entry.kind === "url")
		return { type: "http", url: entry.url, ...(Object.keys(entry.headers).length > 0 && { headers: entry.headers }) };
	return { command: entry.command, args: entry.args, ...(Object.keys(entry.env).length > 0 && { env: entry.env }) };
}

/** The whole command as it would be typed: nothing shortened, everything quoted that a shell would split. */
export function commandLine(entry: ServerEntry): string {
	if (entry.kind === "url") return entry.url;
	return [entry.command, ...entry.args]
		.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`))
		.join(" ");
}
