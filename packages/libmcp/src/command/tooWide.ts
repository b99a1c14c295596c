import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeFolder } from "./userFolder.ts";

/**
 * Names a folder that is too wide to be a project. Agents without a project start servers in the disk's root or the
 * home folder, and indexing that would read everything the user has. A git repository is a project wherever it is.
 */
export function tooWide(folder: string): "the disk's root" | "the home folder" | undefined {
	const real = realpathSync(folder);
	if (existsSync(join(real, ".git"))) return undefined;
	if (dirname(real) === real) return "the disk's root";
	const home = homeFolder();
	return home !== undefined && real === reallyAt(home) ? "the home folder" : undefined;
}

function reallyAt(folder: string): string | undefined {
	try {
		return realpathSync(folder);
	} catch {
		return undefined;
	}
}
