import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { countText, folded, homeFolder, suggestion, UsageError } from "libmcp/command";
import { CLIENT_IDS, type ClientId, findPlace, SCOPES, type Scope } from "../../clients/clientTable.ts";
import { findClients } from "../../clients/sources.ts";
import { nameGiven } from "../arguments.ts";

/** The name of Holdfast's entry in every client's list. */
export const ENTRY_NAME = "holdfast";

export function readClient(word: string | undefined): ClientId {
	const found = CLIENT_IDS.find((id) => id === word);
	if (found !== undefined) return found;
	if (word === undefined) throw new UsageError(`client: expected ${hereFirst()}, got nothing`);
	throw new UsageError(`client: expected one of ${CLIENT_IDS.join(", ")}, got ${nameGiven(word)}${meant(word)}`);
}

/** All clients, starting with those that have a file on this machine. */
function hereFirst(): string {
	const here = homeFolder() === undefined ? [] : findClients(findPlace(), ENTRY_NAME);
	const others = CLIENT_IDS.filter((id) => !here.some((found) => found.id === id)).join(", ");
	if (here.length === 0) return `one of ${others}`;
	const counted = here.map(({ id, servers }) =>
		servers === undefined ? id : `${id} (${countText(servers, "server")})`,
	);
	return `one of those found here, ${counted.join(", ")}${others === "" ? "" : `, or of ${others}`}`;
}

/** Knows `claude` and `gemini-cli`, which a comparison by letters would not match. */
function meant(word: string): string {
	const alike = CLIENT_IDS.filter((id) => word !== "" && (id.startsWith(`${word}-`) || word.startsWith(`${id}-`)));
	return alike.length === 0 ? suggestion(word, CLIENT_IDS) : `; did you mean ${alike.join(" or ")}?`;
}

/** Lists all clients after some words of a help text, folded to eighty columns. */
export function listClientsAfter(words: string, end = ""): string {
	return folded(`${words}${CLIENT_IDS.join(", ")}${end}`, 80);
}

export function readScope(word: string): Scope {
	const found = SCOPES.find((scope) => scope === word);
	if (found === undefined) throw new UsageError(`--scope: expected ${SCOPES.join(" or ")}, got ${nameGiven(word)}`);
	return found;
}

/**
 * How a client starts this installation: by its full path, since a client's PATH is seldom the shell's. A project's
 * file is shared with people who have Holdfast elsewhere, so it gets the plain name if that leads here.
 */
export function chooseOwnCommand(
	scope: Scope,
	...args: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
	const launcher = ownLauncher();
	if (scope === "project" && isOnPath("holdfast", launcher)) return { command: "holdfast", args };
	return { command: process.execPath, args: [launcher, ...args] };
}

/** Warns if a client's file now depends on a folder that may be deleted. */
export function warnOfPassingFolder({ command }: { readonly command: string }): string | undefined {
	const folder = passingFolder(realpathSync(ownLauncher()));
	if (command === "holdfast" || folder === undefined) return undefined;
	return `It starts Holdfast from ${folder}: keep that folder, or undo this, install Holdfast and do it again.`;
}

/** The checkout that a launcher is in, or npx's cache, which npm may empty; `undefined` for an installed one. */
function passingFolder(launcher: string): string | undefined {
	const [cache] = /^.*[\\/]_npx[\\/][^\\/]+/.exec(launcher) ?? [];
	if (cache !== undefined) return cache;
	if (/[\\/]node_modules[\\/]/.test(launcher)) return undefined;
	for (let folder = dirname(launcher); folder !== dirname(folder); folder = dirname(folder))
		if (existsSync(join(folder, ".git"))) return folder;
	return undefined;
}

function ownLauncher(): string {
	return fileURLToPath(new URL("../../../bin/holdfast.js", import.meta.url));
}

function isOnPath(name: string, target: string): boolean {
	return (process.env.PATH ?? "").split(delimiter).some((folder) => {
		// npm adds this folder to the PATH only while it runs a script.
		if (/node_modules[\\/]\.bin$/.test(folder)) return false;
		try {
			return realpathSync(join(folder, name)) === realpathSync(target);
		} catch {
			return false;
		}
	});
}
