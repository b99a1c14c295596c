import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CleatsError } from "../contract/errors.ts";

/** The real path of a folder given with `--repo`. */
export function existingFolder(folder: string): string {
	// An empty path would mean the current folder, which an unset shell variable must not select.
	const real = folder === "" ? undefined : realPath(resolve(folder));
	if (real !== undefined && statSync(real).isDirectory()) return real;
	const came = folder === "" ? "nothing" : JSON.stringify(folder);
	throw new CleatsError("NOT_FOUND", `--repo: expected a folder that exists, got ${came}`, { field: "--repo" });
}

export function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}
