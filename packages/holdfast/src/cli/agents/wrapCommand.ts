import { countText, plainText, UsageError } from "libmcp/command";
import {
	changeAlone,
	findOriginal,
	forgetChange,
	forgetUndone,
	listTextsBeforeWraps,
	readBackup,
	replaceUnchanged,
	restoreOriginal,
	type Step,
	writeWithBackup,
} from "../../clients/backup.ts";
import { findKey, readClientFile } from "../../clients/clientFile.ts";
import { CLIENTS, type Client, findPlace, type Place, SCOPES, type Scope } from "../../clients/clientTable.ts";
import { findClientFile } from "../../clients/installEntry.ts";
import { listHostsMovedOut } from "../../clients/moveServers.ts";
import { describeElsewhere, findOtherProjects, type Source } from "../../clients/sources.ts";
import {
	findHandWrapped,
	type Keeps,
	unwrapServers,
	wrapServers,
	writeHostOptions,
} from "../../clients/wrapServers.ts";
import { findBackupFolder, findFolders } from "../../config/installation.ts";
import { readArguments } from "../arguments.ts";
import { colour, findTypedCommand, printPlannedFile, say, tell } from "../output.ts";
import {
	chooseOwnCommand,
	ENTRY_NAME,
	listClientsAfter,
	readClient,
	readScope,
	warnOfPassingFolder,
} from "./agentOptions.ts";

export const help = `Usage: holdfast wrap <client> [--scope ${SCOPES.join("|")}] [--undo] [--print] [--json]
                     [--ops-tools]

Puts a host in front of every server that a coding agent starts by a command, in
the agent's own file: the servers stay as they are, and from now on survive
their own crashes and upgrades. The file is backed up first; other entries stay.

${listClientsAfter("  clients        ")}
  --scope WHICH  user (default): for every project; project: for this folder
  --undo         take the hosts out again
  --ops-tools    each server also shows holdfast_health and holdfast_telemetry
  --print        show the resulting file and write nothing`;

export async function run(args: readonly string[]): Promise<number> {
	const { values, words } = readArguments(
		args,
		{
			scope: { type: "string", default: "user" },
			undo: { type: "boolean" },
			print: { type: "boolean" },
			json: { type: "boolean" },
			"ops-tools": { type: "boolean" },
		},
		1,
	);
	if (values.undo === true && values["ops-tools"] === true)
		throw new UsageError("--ops-tools: expected without --undo");
	const client = CLIENTS[readClient(words[0])];
	const scope = readScope(values.scope);
	const place = findPlace();
	const asked = { ...values, opsTools: values["ops-tools"] };
	return values.print === true
		? wrap(client, scope, place, asked)
		: changeAlone(() => wrap(client, scope, place, asked));
}

type Asked = Readonly<Partial<Record<"undo" | "print" | "json" | "opsTools", boolean | undefined>>>;

function wrap(client: Client, scope: Scope, place: Place, { undo: isUndo, print, json, opsTools }: Asked): number {
	const path = findClientFile(client, place, scope);
	const before = readClientFile(path);
	if (before === undefined)
		throw new Error(
			`${path}: no such file, so ${client.title} has no servers there; ${isUndo === true ? "there is nothing to undo" : `holdfast install ${client.id} gives it the gateway`}`,
		);
	const local = scope === "user" ? client.projectKey?.(place) : undefined;
	const key = findKey(client, path, before);
	const lists: Source[] = [{ scope, path, key }];
	if (local !== undefined) lists.push({ scope: "local", path, key: local });
	const file = { client, path, text: before, keys: lists.map((list) => list.key) };
	const host = (name: string) => chooseOwnCommand(scope, "host", ...writeHostOptions(name, opsTools === true));
	const backups = findBackupFolder(findFolders());
	const step: Step = local === undefined ? "wrap" : `wrap in ${place.project}`;
	const wrapped = (isUndo === true ? readBackup(backups, step, path)?.before : undefined) ?? undefined;
	// Whoever wrote a host by hand had it before, and an undo must not lose its options, wherever the wrap was made.
	const texts = new Set(isUndo === true ? [wrapped ?? "", ...listTextsBeforeWraps(backups, path)] : []);
	const byHand = [...texts].map((text) => findHandWrapped({ ...file, text }));
	const keeps: Keeps = (...place) => byHand.some((had) => had(...place));
	const { text, changed, ...rest } =
		isUndo === true ? unwrapServers(file, keeps, wrapped) : wrapServers(file, host, ENTRY_NAME);
	const gone = isUndo === true ? lists.flatMap((list) => listHostsMovedOut(backups, list, keeps)) : [];
	const left = [...rest.left, ...gone.map((name) => `${name} (moved behind the gateway; its host comes back with it)`)];
	const changedIn = (there: readonly string[]): readonly string[] => {
		const alone = { ...file, keys: [there] };
		return (isUndo === true ? unwrapServers(alone) : wrapServers(alone, host, ENTRY_NAME)).changed;
	};
	const elsewhere = scope === "user" ? findOtherProjects(client, place, path, before, changedIn) : [];
	const isClean = (one: string): boolean => unwrapServers({ ...file, text: one }, keeps).changed.length === 0;
	const undo = { step, path, isClean };
	if (print === true) {
		const planned = (isUndo === true && changed.length > 0 ? findOriginal(backups, undo) : undefined) ?? text;
		if (json === true) say(JSON.stringify({ client: client.id, path, changed, left, elsewhere, text: planned }));
		else printPlannedFile(path, planned);
		return 0;
	}
	const change = { path, before, after: text };
	if (isUndo !== true) {
		if (changed.length > 0) writeWithBackup(backups, step, change);
	} else if (changed.length === 0 || restoreOriginal(backups, undo) === undefined) {
		if (changed.length > 0) replaceUnchanged(change);
		// Those moved out come back with their hosts, which this undoes once more.
		if (gone.length === 0) forgetChange(backups, step, path);
		forgetUndone(backups, path);
	}
	if (json === true) {
		say(JSON.stringify({ client: client.id, path, changed, left, elsewhere }));
		return 0;
	}
	const verb = isUndo === true ? "took the host from" : "put a host in front of";
	tell(
		changed.length === 0
			? `No server to change in ${path}.`
			: `${colour("good", verb)} ${countText(changed.length, "server")} in ${path}: ${changed.map(plainText).join(", ")}`,
	);
	if (left.length > 0) tell(colour("dim", `left as they are: ${left.map(plainText).join(", ")}`));
	if (elsewhere.length > 0) tell(plainText(describeElsewhere(elsewhere)));
	if (changed.length > 0 && isUndo !== true) {
		tell(
			`Restart ${client.title}; then ${findTypedCommand()} status shows them. ${findTypedCommand()} wrap ${client.id}${scope === "user" ? "" : " --scope project"} --undo gives it back.`,
		);
		const keep = warnOfPassingFolder(chooseOwnCommand(scope));
		if (keep !== undefined) tell(colour("dim", keep));
	}
	return 0;
}
