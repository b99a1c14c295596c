import { failureText, plainText } from "libmcp/command";
import { CLIENTS, type ClientId, thisPlace } from "../clients/clientTable.ts";
import { findServers, gatewayEntries, takeFromGateway } from "../clients/importServers.ts";
import { type GivenBack, giveBack, stillTaken, takenElsewhere } from "../clients/moveServers.ts";
import { findBackupFolder, findConfigFile, findFolders } from "../config/installation.ts";
import { ENTRY_NAME } from "./clientWords.ts";
import { complain, say, tell, tint } from "./output.ts";
import { typedName } from "./typedName.ts";

/** `import --undo`: restores the clients' lists before the gateway's, so that no server is ever in neither. */
export function undoImport(ids: readonly ClientId[], json: boolean): number {
	const backups = findBackupFolder(findFolders());
	const file = findConfigFile(findFolders());
	const isJson = file.endsWith(".json");
	// A server given back while the gateway's file cannot be changed would run twice.
	if (isJson) gatewayEntries(file);
	// A record that cannot be read may hold servers of any list, so it ends this before the first change.
	stillTaken(backups);
	const problems: string[] = [];
	const given = ids.flatMap((id) => {
		try {
			return giveBack(backups, CLIENTS[id], thisPlace());
		} catch (error) {
			problems.push(failureText(error));
			return [];
		}
	});
	const code = problems.length === 0 ? 0 : 1;
	const held = stillTaken(backups);
	const { servers } = findServers(ids, thisPlace(), ENTRY_NAME);
	const behind = isJson ? takeFromGateway(file, servers, held, backups) : NOTHING;
	const { removed } = behind;
	const elsewhere = takenElsewhere(backups, thisPlace());
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
	for (const problem of problems) complain(`${tint("warn", "skipped")} ${plainText(problem)}`);
	if (given.length + removed.length + elsewhere.length === 0)
		tell(
			problems.length === 0
				? `Nothing to undo: ${file} has no server of theirs as it was imported.`
				: "Nothing was changed.",
		);
	for (const [path, back] of Map.groupBy(given, (one) => one.path))
		tell(`${tint("good", "gave back to")} ${path}: ${names(back)}`);
	if (removed.length > 0) tell(`${tint("good", "took out of")} ${file}: ${removed.map(plainText).join(", ")}`);
	if (left.length > 0)
		tell(
			tint("dim", `left in ${file}, changed there or moved from another client too: ${left.map(plainText).join(", ")}`),
		);
	for (const [project, all] of Map.groupBy(elsewhere, (one) => one.project))
		for (const [path, out] of Map.groupBy(all, (one) => one.path))
			tell(
				`${tint("warn", "still out of")} ${path}: ${names(out)}; ${typedName()} import --undo in ${project} gives back`,
			);
	return code;
}

const NOTHING = { removed: [], left: [] };

function names(servers: readonly Pick<GivenBack, "name">[]): string {
	return servers.map(({ name }) => plainText(name)).join(", ");
}
