import { plainText, UsageError } from "libmcp/command";
import { changeAlone } from "../../clients/backup.ts";
import { CLIENTS, findPlace, type Scope } from "../../clients/clientTable.ts";
import { applyChange, findClientFile, planInstall } from "../../clients/installEntry.ts";
import type { ServerEntry } from "../../clients/serverEntry.ts";
import { findBackupFolder, findConfigFile, findFolders } from "../../config/installation.ts";
import { nameGiven, readArguments } from "../arguments.ts";
import { colour, findTypedCommand, printPlannedFile, say, tell } from "../output.ts";
import {
	chooseOwnCommand,
	ENTRY_NAME,
	listClientsAfter,
	readClient,
	readScope,
	warnOfPassingFolder,
} from "./agentOptions.ts";

export const help = `Usage: holdfast install <client> [--scope user|project] [--print] [--json]
                        [--url ADDRESS [--token TOKEN]]

Puts Holdfast into a coding agent's list of MCP servers. The file is backed up
first, its comments and other entries stay; \`holdfast uninstall\` gives it back.

${listClientsAfter("  clients        ")}
  --scope WHICH  user (default): for every project; project: for this folder
  --url ADDRESS  connect to a running \`holdfast up\`, and start no gateway
  --token TOKEN  the one that \`holdfast up\` asks for; the client's file keeps it
  --print        show the resulting file and write nothing`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{
			scope: { type: "string", default: "user" },
			url: { type: "string" },
			token: { type: "string" },
			print: { type: "boolean" },
			json: { type: "boolean" },
		},
		1,
	);
	const client = CLIENTS[readClient(words[0])];
	const scope = readScope(values.scope);
	const entry = entryFor(scope, values.url, values.token);
	const planned = () => planInstall(client, findPlace(), scope, ENTRY_NAME, entry);
	if (values.print === true) {
		const { path, after } = planned();
		if (values.json === true) say(JSON.stringify({ client: client.id, path, text: after }));
		else printPlannedFile(path, after);
		return 0;
	}
	const path = findClientFile(client, findPlace(), scope);
	const outcome = await changeAlone(() => applyChange(planned(), findBackupFolder(findFolders())));
	if (values.json === true) {
		say(JSON.stringify({ client: client.id, path, outcome }));
		return 0;
	}
	const verb = outcome === "written" ? colour("good", "wrote") : colour("dim", "already in");
	say(`${verb} ${path}`);
	const undo = `${findTypedCommand()} uninstall ${client.id}${scope === "user" ? "" : " --scope project"}`;
	tell(`Restart ${client.title} to connect; ${undo} undoes it.`);
	if (entry.kind === "url") return 0;
	const keep = warnOfPassingFolder(entry);
	if (keep !== undefined) tell(colour("dim", keep));
	const { findBehindGateway, findServers } = await import("../../clients/importServers.ts");
	const doubled = findBehindGateway(
		findConfigFile(findFolders()),
		findServers([client.id], findPlace(), ENTRY_NAME).servers,
	);
	if (doubled.length > 0) {
		const names = [...new Set(doubled.map(({ name }) => plainText(name)))].join(", ");
		const remedy = `${findTypedCommand()} import ${client.id} --move takes them out of its list`;
		tell(`${colour("warn", "twice")} ${client.title} also starts by itself what the gateway has: ${names}; ${remedy}.`);
	}
	return 0;
}

function entryFor(scope: Scope, url: string | undefined, token: string | undefined): ServerEntry {
	if (url === undefined) {
		if (token !== undefined) throw new UsageError("--token: expected --url with it");
		return { kind: "command", ...chooseOwnCommand(scope, "serve"), env: {} };
	}
	const { protocol, username, password, pathname } = URL.parse(url) ?? { protocol: "" };
	if (!/^https?:$/.test(protocol))
		throw new UsageError(`--url: expected an http or https address, got ${nameGiven(url)}`);
	if (username || password)
		throw new UsageError("--url: expected no user name or password in it, which clients refuse");
	// An empty one is what a variable that is not set leaves.
	if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
		throw new UsageError("--token: expected ASCII characters without blanks, and at least one");
	// People may give the console's address instead of the MCP endpoint's.
	const address = pathname === "/" ? new URL("/mcp", url).href : url;
	return {
		kind: "url",
		type: "http",
		url: address,
		headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
	};
}
