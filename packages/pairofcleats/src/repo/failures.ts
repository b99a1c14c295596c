import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CleatsError, damagedIndex, isCleatsError, notStored } from "../contract/errors.ts";
import { isIndexDamage } from "../store/indexDamage.ts";

/** Replaces a failure with one the caller can act on: the index is damaged, or the folder is gone. */
export function explainFailure(thrown: unknown, root: string): unknown {
	if (isCleatsError(thrown) || !(thrown instanceof Error)) return thrown;
	if (isIndexDamage(thrown)) return damagedIndex(thrown);
	return isFolder(root) ? thrown : makeMissingFolderError();
}

/** Does not reveal the server's paths. */
export function makeMissingFolderError(): CleatsError {
	return new CleatsError("NOT_FOUND", "repoPath: expected a folder that exists", { field: "repoPath" });
}

export function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Why something failed, in the system's words but without paths, and what to do about a disk. */
export function describeReason(thrown: unknown): string {
	const stored = notStored(thrown);
	if (stored !== undefined) return stored.message;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const isSystem = thrown instanceof Error && "syscall" in thrown;
	return isSystem ? message.replace(/, \w+ '.*$/s, "") : message;
}

/** The real path of a folder given with `--repo`. */
export function readExistingFolder(folder: string): string {
	// An empty path would mean the current folder, which an unset shell variable must not select.
	const real = folder === "" ? undefined : resolveRealPath(resolve(folder));
	if (real !== undefined && statSync(real).isDirectory()) return real;
	const came = folder === "" ? "nothing" : JSON.stringify(folder);
	throw new CleatsError("NOT_FOUND", `--repo: expected a folder that exists, got ${came}`, { field: "--repo" });
}

export function resolveRealPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}
