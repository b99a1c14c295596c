import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeFolder } from "./userFolder.ts";

/**
 * What a folder is that nobody means as a project: agents start what has none in the disk's root or in a home folder, and
 * to index that would read all a user has. One that git keeps is a project all the same.
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
