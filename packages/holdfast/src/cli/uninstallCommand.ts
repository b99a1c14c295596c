import { CLIENTS, thisPlace } from "../clients/clientTable.ts";
import { fileOf, uninstall } from "../clients/installEntry.ts";
import { oneAtATime } from "../clients/oneAtATime.ts";
import { findBackupFolder, findFolders } from "../config/installation.ts";
import { clientNamed, clientsHelp, ENTRY_NAME, scopeNamed } from "./clientWords.ts";
import { say, tint } from "./output.ts";
import { readArguments } from "./usage.ts";

export const help = `Usage: holdfast uninstall <client> [--scope user|project] [--json]

Takes Holdfast out of a coding agent's list of MCP servers. A file nobody
touched since becomes byte for byte what it was, or goes if there was none;
another loses our entry only.

${clientsHelp("  clients        ")}
  --scope WHICH  user (default): for every project; project: for this folder`;

const SAID = {
	restored: "restored",
	deleted: "deleted",
	removed: "took our entry out of",
	absent: "no entry of ours in",
} as const;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{ scope: { type: "string", default: "user" }, json: { type: "boolean" } },
		1,
	);
	const client = CLIENTS[clientNamed(words[0])];
	const scope = scopeNamed(values.scope);
	const path = fileOf(client, thisPlace(), scope);
	const backups = findBackupFolder(findFolders());
	const outcome = await oneAtATime(() => uninstall(client, thisPlace(), scope, ENTRY_NAME, backups));
	if (values.json === true) say(JSON.stringify({ client: client.id, path, outcome }));
	else say(`${tint(outcome === "absent" ? "dim" : "good", SAID[outcome])} ${path}`);
	return 0;
}
