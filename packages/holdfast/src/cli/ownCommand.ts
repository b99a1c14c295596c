import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scope } from "../clients/clientTable.ts";

/**
 * How a client starts this very installation. By its whole path, since a client's PATH is seldom the shell's; but a
 * project's file is shared with people who have it elsewhere, so there the name will do if it leads here.
 */
export function ownCommand(
	scope: Scope,
	...args: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
	const launcher = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
	if (scope === "project" && isOnPath("holdfast", launcher)) return { command: "holdfast", args };
	return { command: process.execPath, args: [launcher, ...args] };
}

function isOnPath(name: string, target: string): boolean {
	return (process.env.PATH ?? "").split(delimiter).some((folder) => {
		// Put there by npm for this one run.
		if (/node_modules[\\/]\.bin$/.test(folder)) return false;
		try {
			return realpathSync(join(folder, name)) === realpathSync(target);
		} catch {
			return false;
		}
	});
}
