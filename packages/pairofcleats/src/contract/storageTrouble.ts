import { getSystemErrorMessage } from "node:util";

/** What SQLite calls a full or read-only disk, by the last byte of its codes. */
const OF_SQLITE: Readonly<Record<number, string>> = {
	8: "read-only file system",
	13: "no space left on device",
	14: "its folder is read-only, full or another user's",
};
const OF_DISKS: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS"]);
/** Of the disk where something was to be changed; where it was to be read, of that file. */
const OF_RIGHTS: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);
const CHANGES: ReadonlySet<unknown> = new Set(["mkdir", "rename", "unlink", "rm", "rmdir", "write", "copyfile"]);
/** How Node tells of a failed removal whose reason it has no name for. */
const UNNAMED = /^, Unknown error: (.+?) '/;

type Facts = Error & { code?: unknown; errno?: unknown; errcode?: unknown; syscall?: unknown };

/**
 * Why something could not be stored, if the disk is the reason: the system's words without the path, which remote callers
 * must not see.
 */
export function storageTrouble(thrown: unknown): string | undefined {
	if (!(thrown instanceof Error)) return undefined;
	const { code, errno, errcode, syscall }: Facts = thrown;
	if (typeof errcode === "number") return OF_SQLITE[errcode & 0xff];
	if (typeof errno === "number" && (OF_DISKS.has(code) || (OF_RIGHTS.has(code) && CHANGES.has(syscall))))
		return getSystemErrorMessage(errno);
	return UNNAMED.exec(thrown.message)?.[1]?.toLowerCase();
}
