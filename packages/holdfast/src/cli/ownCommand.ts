import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scope } from "../clients/clientTable.ts";

/**
 * How a client starts this installation: by its full path, since a client's PATH is seldom the shell's. A project's
 * file is shared with people who have Holdfast elsewhere, so it gets the plain name if that leads here.
 */
export function ownCommand(
	scope: Scope,
	...args: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
	const launcher = ownLauncher();
	if (scope === "project" && isOnPath("holdfast", launcher)) return { command: "holdfast", args };
	return { command: process.execPath, args: [launcher, ...args] };
}

/** Warns if a client's file now depends on a folder that may be deleted. */
export function keepNotice({ command }: { readonly command: string }): string | undefined {
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
	return fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
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
