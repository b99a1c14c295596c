import { failureText, plainText } from "libmcp/command";
import { CLIENTS, type ClientId, findPlace } from "../../clients/clientTable.ts";
import { findServers, readGatewayEntries, takeFromGateway } from "../../clients/importServers.ts";
import { type GivenBack, giveBack, listStillTaken, listTakenElsewhere } from "../../clients/moveServers.ts";
import { findBackupFolder, findConfigFile, findFolders } from "../../config/installation.ts";
import { colour, findTypedCommand, printWarning, say, tell } from "../output.ts";
import { ENTRY_NAME } from "./agentOptions.ts";

/** `import --undo`: restores the clients' lists before the gateway's, so that no server is ever in neither. */
export function undoImport(ids: readonly ClientId[], json: boolean): number {
	const backups = findBackupFolder(findFolders());
	const file = findConfigFile(findFolders());
	const isJson = file.endsWith(".json");
	// A server given back while the gateway's file cannot be changed would run twice.
	if (isJson) readGatewayEntries(file);
	// A record that cannot be read may hold servers of any list, so it ends this before the first change.
	listStillTaken(backups);
	const problems: string[] = [];
	const given = ids.flatMap((id) => {
		try {
			return giveBack(backups, CLIENTS[id], findPlace());
		} catch (error) {
			problems.push(failureText(error));
			return [];
		}
	});
	const code = problems.length === 0 ? 0 : 1;
	const held = listStillTaken(backups);
	const { servers } = findServers(ids, findPlace(), ENTRY_NAME);
	const behind = isJson ? takeFromGateway(file, servers, held, backups) : NOTHING;
	const { removed } = behind;
	const elsewhere = listTakenElsewhere(backups, findPlace());
	const left = behind.left.filter((name) => given.some(({ as }) => as === name));
	if (json) {
		say(
			JSON.stringify({
				file,
				given: given.map(({ path, name }) => ({ path, name })),
				removed,
				left,
				elsewhere,
				problems,
			}),
		);
		return code;
	}
	for (const problem of problems) printWarning(`${colour("warn", "skipped")} ${plainText(problem)}`);
	if (given.length + removed.length + elsewhere.length === 0)
		tell(
			problems.length === 0
				? `Nothing to undo: ${file} has no server of theirs as it was imported.`
				: "Nothing was changed.",
		);
	for (const [path, back] of Map.groupBy(given, (one) => one.path))
		tell(`${colour("good", "gave back to")} ${path}: ${names(back)}`);
	if (removed.length > 0) tell(`${colour("good", "took out of")} ${file}: ${removed.map(plainText).join(", ")}`);
	if (left.length > 0)
		tell(
			colour(
				"dim",
				`left in ${file}, changed there or moved from another client too: ${left.map(plainText).join(", ")}`,
			),
		);
	for (const [project, all] of Map.groupBy(elsewhere, (one) => one.project))
		for (const [path, out] of Map.groupBy(all, (one) => one.path))
			tell(
				`${colour("warn", "still out of")} ${path}: ${names(out)}; ${findTypedCommand()} import --undo in ${project} gives back`,
			);
	return code;
}

const NOTHING = { removed: [], left: [] };

function names(servers: readonly Pick<GivenBack, "name">[]): string {
	return servers.map(({ name }) => plainText(name)).join(", ");
}
