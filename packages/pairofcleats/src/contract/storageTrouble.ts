import { getSystemErrorMessage } from "node:util";

/** SQLite's primary result codes (the low byte) for disks that cannot be used. */
const OF_SQLITE: Readonly<Record<number, string>> = {
	8: "read-only file system",
	10: "the disk is full, or fails",
	13: "no space left on device",
	14: "its folder is read-only, full or another user's",
};
const OF_DISKS: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS"]);
/**
 * A denied permission is a storage problem only if the call was to change something; otherwise it concerns a single
 * file.
 */
const OF_RIGHTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);
const CHANGES: ReadonlySet<unknown> = new Set(["mkdir", "rename", "unlink", "rm", "rmdir", "write", "copyfile"]);
/** Node's message when a removal fails with an error code it has no name for. */
const UNNAMED = /^, Unknown error: (.+?) '/;

type Facts = Error & { code?: unknown; errno?: unknown; errcode?: unknown; syscall?: unknown };

/**
 * Explains why something could not be stored, if the disk is the reason. Uses the system's message without the path,
 * which remote callers must not see.
 */
export function storageTrouble(thrown: unknown): string | undefined {
	if (!(thrown instanceof Error)) return undefined;
	const { code, errno, errcode, syscall }: Facts = thrown;
	if (typeof errcode === "number") return OF_SQLITE[errcode & 0xff];
	if (typeof errno === "number" && (OF_DISKS.has(code) || (OF_RIGHTS.has(code) && CHANGES.has(syscall))))
		return getSystemErrorMessage(errno);
	return UNNAMED.exec(thrown.message)?.[1]?.toLowerCase();
}
