import { statSync } from "node:fs";
import { errorCode } from "libmcp/command";
import { CleatsError, damagedIndex, isCleatsError, notStored } from "../contract/errors.ts";
import { DamagedBlock } from "../segment/damagedBlock.ts";

/** SQLite's primary result codes for a file that lacks our tables, is damaged or is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([1, 11, 26]);
/** The input errors that mean the same: too few bytes, a wrong checksum, a damaged file system. */
const UNREADABLE: ReadonlySet<number> = new Set([522, 8202, 8458]);

/** Replaces a failure with one the caller can act on: the index is damaged, or the folder is gone. */
export function explainFailure(thrown: unknown, root: string): unknown {
	if (isCleatsError(thrown) || !(thrown instanceof Error)) return thrown;
	if (isDamage(thrown)) return damagedIndex(thrown);
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

function isDamage(error: Error): boolean {
	if (error instanceof DamagedBlock) return true;
	if ("errcode" in error && typeof error.errcode === "number")
		return DAMAGED.has(error.errcode & 0xff) || UNREADABLE.has(error.errcode);
	return /^(?:Z_|ZSTD_|ERR_ZLIB)/.test(errorCode(error) ?? "");
}
