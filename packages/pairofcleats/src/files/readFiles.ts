import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { errorCode } from "libmcp/command";

/** A larger file is none of those that are read whole as text. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The text of a regular file; `undefined` for anything else, because reading a pipe or a device could take forever. */
export function readRegularText(path: string): string | undefined {
	let file: number | undefined;
	try {
		// Opening a pipe waits for its other end, unless it is told not to.
		file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stat = fstatSync(file);
		return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, "utf8") : undefined;
	} catch {
		return undefined; // Missing or unreadable.
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

type FileBytes =
	| { readonly kind: "bytes"; readonly bytes: Buffer; readonly mtimeMs: number }
	| { readonly kind: "oversize" | Unread };

/** Why a file was not read; only one that `failed` may be readable later although nothing about it changes. */
type Unread = "missing" | "unreadable" | "failed";

/** Reads a regular file; never follows a link or reads more than the limit. */
export function readRegularFile(path: string, maxBytes: number): FileBytes {
	let file: number;
	try {
		file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	} catch (error) {
		return { kind: unreadBy(error) };
	}
	// Synchronous, because the files are small and local, and asynchronous opening would take a tenth of a build's time.
	try {
		const stat = fstatSync(file);
		if (!stat.isFile()) return { kind: "unreadable" };
		if (stat.size > maxBytes) return { kind: "oversize" };
		const bytes = readFileSync(file);
		return bytes.length > maxBytes ? { kind: "oversize" } : { kind: "bytes", bytes, mtimeMs: stat.mtimeMs };
	} catch (error) {
		return { kind: unreadBy(error) };
	} finally {
		closeSync(file);
	}
}

const UNREAD_BY: Readonly<Record<string, Unread>> = {
	ENOENT: "missing",
	ENOTDIR: "missing",
	EAGAIN: "failed",
	EBUSY: "failed",
	EIO: "failed",
	EMFILE: "failed",
	ENFILE: "failed",
	ENOMEM: "failed",
	ENOTCONN: "failed",
	ESTALE: "failed",
	ETIMEDOUT: "failed",
};

function unreadBy(error: unknown): Unread {
	return UNREAD_BY[errorCode(error) ?? ""] ?? "unreadable";
}
