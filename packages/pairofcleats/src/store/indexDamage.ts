import { errorCode } from "libmcp/command";
import { isCleatsError } from "../contract/errors.ts";
import { DamagedBlock } from "../segment/bytes.ts";

/** SQLite's primary result codes for a file that lacks our tables, is damaged or is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([1, 11, 26]);
/** The input errors that mean the same: too few bytes, a wrong checksum, a damaged file system. */
const UNREADABLE: ReadonlySet<number> = new Set([522, 8202, 8458]);

/** Whether something failed because the bytes of an index are not those that were written. */
export function isIndexDamage(thrown: unknown): boolean {
	if (isCleatsError(thrown)) return thrown.details.reason === "damaged";
	if (!(thrown instanceof Error)) return false;
	if (thrown instanceof DamagedBlock) return true;
	if ("errcode" in thrown && typeof thrown.errcode === "number")
		return DAMAGED.has(thrown.errcode & 0xff) || UNREADABLE.has(thrown.errcode);
	return /^(?:Z_|ZSTD_|ERR_ZLIB|ERR_BUFFER_TOO_LARGE)/.test(errorCode(thrown) ?? "");
}

/** Parses JSON that is stored without a checksum. Text that is no object or array is damage. */
export function parseStoredJson(text: string): object {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null) return value;
	} catch {
		// Reported below.
	}
	throw new DamagedBlock("a text of the index is damaged");
}
