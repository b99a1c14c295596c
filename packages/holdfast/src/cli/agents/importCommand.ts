import { createInterface } from "node:readline/promises";
import { isDeepStrictEqual } from "node:util";
import { countText, folded, plainText, UsageError } from "libmcp/command";
import { changeAlone } from "../../clients/backup.ts";
import { CLIENT_IDS, CLIENTS, type ClientId, findPlace } from "../../clients/clientTable.ts";
import { unescapeEntry } from "../../clients/importable.ts";
import {
	type Added,
	addToGateway,
	dropUnusable,
	type FoundServer,
	findServers,
	listUnsetVariables,
	nameInGateway,
	readGatewayEntries,
	writeCommandLine,
} from "../../clients/importServers.ts";
import { type Moved, takeOut } from "../../clients/moveServers.ts";
import type { ServerEntry } from "../../clients/serverEntry.ts";
import { describeElsewhere } from "../../clients/sources.ts";
import { findBackupFolder, findConfigFile, findFolders } from "../../config/installation.ts";
import { readArguments } from "../arguments.ts";
import { colour, findTypedCommand, printWarning, say, tell } from "../output.ts";
import { ENTRY_NAME, listClientsAfter, readClient } from "./agentOptions.ts";
import { undoImport } from "./undoImport.ts";

export const help = `Usage: holdfast import [client ...] [--yes] [--move] [--undo] [--json]

Finds the MCP servers your coding agents start today, shows each whole command,
and, once you agree, puts them behind the gateway. Secrets in their environment
go into a file only you can read.

${listClientsAfter("  client ...  ", "; default: all")}
  --yes       do not ask
  --move      also take them out of the client's list (backed up first), so that
              they run once, behind the gateway
  --undo      give them back to the client's list, and take them from behind the
              gateway
  --json      print one object; never asks, and changes nothing without --yes,
              which --undo then needs

Exits 1 if a client's file cannot be read, or if a server that was shown could
not be imported or moved; one that is skipped says why and does not count.`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{ yes: { type: "boolean" }, move: { type: "boolean" }, undo: { type: "boolean" }, json: { type: "boolean" } },
		CLIENT_IDS.length,
	);
	const ids = words.length === 0 ? CLIENT_IDS : words.map(readClient);
	if (values.undo === true && values.move === true) throw new UsageError("--undo: expected without --move");
	if (values.undo === true && values.json === true && values.yes !== true)
		throw new UsageError("--undo: expected with --yes, as it changes files and --json never asks");
	if (values.undo === true) return changeAlone(() => undoImport(ids, values.json === true));
	const { servers, problems, unreadable, elsewhere } = dropUnusable(findServers(ids, findPlace(), ENTRY_NAME));
	const codeFor = (left: readonly string[]): number => (unreadable.length + left.length === 0 ? 0 : 1);
	const file = findConfigFile(findFolders());
	if (servers.length > 0 && !file.endsWith(".json"))
		throw new Error(`${file}: expected JSON, the only format that servers can be added to; copy them by hand`);
	if (values.json === true) {
		const { left, ...done } =
			values.yes === true ? await putBehind(file, ids, servers, values.move === true) : NOTHING_DONE;
		say(JSON.stringify({ file, servers: servers.map(told), problems: [...problems, ...left], elsewhere, ...done }));
		return codeFor(left);
	}
	for (const problem of problems) printWarning(`${colour("warn", "skipped")} ${plainText(problem)}`);
	if (elsewhere.length > 0) printWarning(plainText(describeElsewhere(elsewhere)));
	if (servers.length === 0) {
		tell(
			`No ${problems.length > unreadable.length ? "other " : ""}servers found for ${ids.map((id) => CLIENTS[id].title).join(", ")}.`,
		);
		tell(colour("dim", `Write servers of others into ${file}, as "mcpServers"; ${findTypedCommand()} up needs none.`));
		return codeFor([]);
	}
	const sameBefore = servers.map((found, index) => servers.slice(0, index).find((other) => isSameServer(other, found)));
	const names = nameInGateway(file, servers);
	for (const [index, found] of servers.entries()) say(describe(found, sameBefore[index], names.get(found)));
	say("");
	const count = sameBefore.filter((same) => same === undefined).length;
	if (
		values.yes !== true &&
		!(await agreed(`Put ${countText(count, "server")} behind the gateway (${file})? [y/N] `))
	) {
		say("Nothing was changed.");
		return 1;
	}
	const { added, kept, moved, left } = await putBehind(file, ids, servers, values.move === true);
	if (added.length > 0) tell(`${colour("good", "added")} ${added.map(plainText).join(", ")}`);
	if (kept.length > 0) tell(`${colour("dim", "already there:")} ${kept.map(plainText).join(", ")}`);
	for (const [path, all] of Map.groupBy(moved, (one) => one.path))
		tell(`${colour("good", "took out of")} ${path}: ${all.map(({ name }) => plainText(name)).join(", ")}`);
	for (const problem of left) printWarning(`${colour("warn", "left where it was")} ${plainText(problem)}`);
	const name = findTypedCommand();
	const undo = `The files as they were are in ${findBackupFolder(findFolders())}; ${name} import --undo gives the servers back.`;
	if (moved.length > 0) tell(colour("dim", undo));
	tell(colour("dim", `${name} doctor tries each of them; ${name} install <client> connects a client.`));
	if (values.move !== true && added.length > 0)
		tell(colour("dim", `Their clients still start them too; ${name} import --move takes them out there.`));
	return codeFor(left);
}

type Done = Pick<Added, "added" | "kept"> & Moved;

const NOTHING_DONE: Done = { added: [], kept: [], moved: [], left: [] };

function isSameServer(one: FoundServer, other: FoundServer): boolean {
	return one.name === other.name && isDeepStrictEqual(one.entry, other.entry);
}

function putBehind(
	file: string,
	ids: readonly ClientId[],
	agreed: readonly FoundServer[],
	move: boolean,
): Promise<Done> {
	return changeAlone(() => {
		const backups = findBackupFolder(findFolders());
		// The files may have changed while the person was asked, or while another command made its change.
		const found = findServers(ids, findPlace(), ENTRY_NAME).servers;
		const [servers, changed] = parted(agreed, (one) => found.some((other) => isDeepStrictEqual(one, other)));
		const { added, kept, refused, placed } = addToGateway(file, servers, backups);
		// Another program may have written the gateway's file since, without what was added.
		const present = readGatewayEntries(file);
		const [safe, lost] = parted(placed, ({ as }) => Object.hasOwn(present, as));
		const { moved, left } = takeOut(backups, move ? safe : [], findPlace());
		const notes = [
			...changed.map((one) => `${nameOf(one)}: it has just been changed; run the command again`),
			...refused.map((one) => `${nameOf(one)}: ${file} has other servers by its name; rename one of them`),
			...lost.map(({ server }) => `${nameOf(server)}: another program has just written ${file}; run the command again`),
		];
		return { added, kept, moved, left: [...notes, ...left] };
	});
}

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
	return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Of environments and headers only the names, because their values are secrets. */
function told({ client, scope, path, name, entry, notTakenOver }: FoundServer): object {
	const shown = unescapeEntry(entry);
	const { include, exclude } = shown;
	const starts =
		shown.kind === "url"
			? { url: shown.url, ...named("headers", Object.keys(shown.headers)) }
			: {
					command: shown.command,
					args: shown.args,
					...(shown.cwd !== undefined && { cwd: shown.cwd }),
					...named("env", Object.keys(shown.env)),
				};
	return {
		...{ name, client: client.id, scope, path, ...starts },
		...named("unset", listUnsetVariables(entry)),
		...(include !== undefined && { include }),
		...(exclude !== undefined && { exclude }),
		...named("notTakenOver", notTakenOver),
	};
}

function named(member: string, names: readonly string[]): object {
	return names.length === 0 ? {} : { [member]: names };
}

function nameOf({ client, scope, name }: FoundServer): string {
	return `${name} (${client.title}, ${scope})`;
}

function headOf({ client, scope, name }: FoundServer): string {
	return `${plainText(name)} ${colour("dim", `(${client.title}, ${scope})`)}`;
}

function describe(found: FoundServer, same: FoundServer | undefined, as: string | undefined): string {
	const { name, entry, notTakenOver } = found;
	const notes = [
		...(as === undefined || as === name ? [] : [`as ${as}, because another server is called ${name}`]),
		...(same === undefined ? notesOn(entry) : [`the same as in ${same.client.title}`]),
		...(notTakenOver.length > 0 ? [`not taken over: ${notTakenOver.join(", ")}`] : []),
	].map((note) => colour("dim", `    ${plainText(note)}`));
	return [headOf(found), ...(same === undefined ? [`    ${writeCommandLine(entry)}`] : []), ...notes].join("\n");
}

function notesOn(entry: ServerEntry): string[] {
	const shown = unescapeEntry(entry);
	const secrets = Object.keys(shown.kind === "command" ? shown.env : shown.headers);
	return [
		...(shown.kind === "command" && shown.cwd !== undefined ? [`in ${shown.cwd}`] : []),
		...(secrets.length > 0 ? [`with ${secrets.join(", ")}`] : []),
		...listUnsetVariables(entry).map((variable) => `reads ${variable}, which is not set here`),
		...(shown.kind === "url" && shown.oauth !== undefined ? [`as the OAuth client ${shown.oauth.client_id}`] : []),
		...(shown.include === undefined ? [] : [`of its tools only ${shown.include.join(", ") || "none"}`]),
		...(shown.exclude === undefined ? [] : [`without its tools ${shown.exclude.join(", ")}`]),
	];
}

async function agreed(question: string): Promise<boolean> {
	if (!process.stdin.isTTY) throw new Error("standard input is not a terminal; --yes agrees without asking");
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	try {
		return /^y(es)?$/i.test((await terminal.question(folded(question, process.stdout.columns ?? 0))).trim());
	} catch (error) {
		if (!(error instanceof Error) || error.name !== "AbortError") throw error;
		// Ctrl-C and Ctrl-D mean no; the new line moves the cursor off the question.
		say("");
		return false;
	} finally {
		terminal.close();
	}
}
