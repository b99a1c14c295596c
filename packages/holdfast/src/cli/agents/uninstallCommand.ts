import { changeAlone } from "../../clients/backup.ts";
import { CLIENTS, findPlace } from "../../clients/clientTable.ts";
import { findClientFile, uninstall } from "../../clients/installEntry.ts";
import { findBackupFolder, findFolders } from "../../config/installation.ts";
import { readArguments } from "../arguments.ts";
import { colour, say } from "../output.ts";
import { ENTRY_NAME, listClientsAfter, readClient, readScope } from "./agentOptions.ts";

export const help = `Usage: holdfast uninstall <client> [--scope user|project] [--json]

Takes Holdfast out of a coding agent's list of MCP servers. A file nobody
touched since becomes byte for byte what it was, or goes if there was none;
another loses our entry only.

${listClientsAfter("  clients        ")}
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
	const client = CLIENTS[readClient(words[0])];
	const scope = readScope(values.scope);
	const path = findClientFile(client, findPlace(), scope);
	const backups = findBackupFolder(findFolders());
	const outcome = await changeAlone(() => uninstall(client, findPlace(), scope, ENTRY_NAME, backups));
	if (values.json === true) say(JSON.stringify({ client: client.id, path, outcome }));
	else say(`${colour(outcome === "absent" ? "dim" : "good", SAID[outcome])} ${path}`);
	return 0;
}
