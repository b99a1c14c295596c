import { plainText, UsageError } from "libmcp/command";
import { CLIENTS, type Scope, thisPlace } from "../clients/clientTable.ts";
import { applyChange, fileOf, plannedInstall } from "../clients/installEntry.ts";
import { oneAtATime } from "../clients/oneAtATime.ts";
import type { ServerEntry } from "../clients/serverEntry.ts";
import { findBackupFolder, findConfigFile, findFolders } from "../config/installation.ts";
import { came } from "./came.ts";
import { clientNamed, clientsHelp, ENTRY_NAME, scopeNamed } from "./clientWords.ts";
import { printFile, say, tell, tint } from "./output.ts";
import { keepNotice, ownCommand } from "./ownCommand.ts";
import { typedName } from "./typedName.ts";
import { readArguments } from "./usage.ts";

export const help = `Usage: holdfast install <client> [--scope user|project] [--print] [--json]
                        [--url ADDRESS [--token TOKEN]]

Puts Holdfast into a coding agent's list of MCP servers. The file is backed up
first, its comments and other entries stay; \`holdfast uninstall\` gives it back.

${clientsHelp("  clients        ")}
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
	const client = CLIENTS[clientNamed(words[0])];
	const scope = scopeNamed(values.scope);
	const entry = entryFor(scope, values.url, values.token);
	const planned = () => plannedInstall(client, thisPlace(), scope, ENTRY_NAME, entry);
	if (values.print === true) {
		const { path, after } = planned();
		if (values.json === true) say(JSON.stringify({ client: client.id, path, text: after }));
		else printFile(path, after);
		return 0;
	}
	const path = fileOf(client, thisPlace(), scope);
	const outcome = await oneAtATime(() => applyChange(planned(), findBackupFolder(findFolders())));
	if (values.json === true) {
		say(JSON.stringify({ client: client.id, path, outcome }));
		return 0;
	}
	const verb = outcome === "written" ? tint("good", "wrote") : tint("dim", "already in");
	say(`${verb} ${path}`);
	const undo = `${typedName()} uninstall ${client.id}${scope === "user" ? "" : " --scope project"}`;
	tell(`Restart ${client.title} to connect; ${undo} undoes it.`);
	if (entry.kind === "url") return 0;
	const keep = keepNotice(entry);
	if (keep !== undefined) tell(tint("dim", keep));
	const { behindGateway, findServers } = await import("../clients/importServers.ts");
	const doubled = behindGateway(
		findConfigFile(findFolders()),
		findServers([client.id], thisPlace(), ENTRY_NAME).servers,
	);
	if (doubled.length > 0) {
		const names = [...new Set(doubled.map(({ name }) => plainText(name)))].join(", ");
		const remedy = `${typedName()} import ${client.id} --move takes them out of its list`;
		tell(`${tint("warn", "twice")} ${client.title} also starts by itself what the gateway has: ${names}; ${remedy}.`);
	}
	return 0;
}

function entryFor(scope: Scope, url: string | undefined, token: string | undefined): ServerEntry {
	if (url === undefined) {
		if (token !== undefined) throw new UsageError("--token: expected --url with it");
		return { kind: "command", ...ownCommand(scope, "serve"), env: {} };
	}
	const { protocol, username, password, pathname } = URL.parse(url) ?? { protocol: "" };
	if (!/^https?:$/.test(protocol)) throw new UsageError(`--url: expected an http or https address, got ${came(url)}`);
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
