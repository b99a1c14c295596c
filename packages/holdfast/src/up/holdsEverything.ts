import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { homeFolder } from "libmcp/launch";

/** The disk's root and a home folder are where agents start what has no project; indexing them would read all a user has. */
export function holdsEverything(folder: string): boolean {
	const real = realpathSync(folder);
	const home = homeFolder();
	return dirname(real) === real || (home !== undefined && real === reallyAt(home));
}

function reallyAt(folder: string): string | undefined {
	try {
		return realpathSync(folder);
	} catch {
		return undefined;
	}
}
