import { statSync } from "node:fs";
import { CleatsError, damagedIndex, isCleatsError, notStored } from "../contract/errors.ts";
import { isIndexDamage } from "../store/indexDamage.ts";

/** Replaces a failure with one the caller can act on: the index is damaged, or the folder is gone. */
export function explainFailure(thrown: unknown, root: string): unknown {
	if (isCleatsError(thrown) || !(thrown instanceof Error)) return thrown;
	if (isIndexDamage(thrown)) return damagedIndex(thrown);
	return isFolder(root) ? thrown : missingFolder();
}

/** Does not reveal the server's paths. */
export function missingFolder(): CleatsError {
	return new CleatsError("NOT_FOUND", "repoPath: expected a folder that exists", { field: "repoPath" });
}

export function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Why something failed, in the system's words but without paths, and what to do about a disk. */
export function reasonOf(thrown: unknown): string {
	const stored = notStored(thrown);
	if (stored !== undefined) return stored.message;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const isSystem = thrown instanceof Error && "syscall" in thrown;
	return isSystem ? message.replace(/, \w+ '.*$/s, "") : message;
}
