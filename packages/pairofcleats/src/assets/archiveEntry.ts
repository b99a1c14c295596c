import { posix } from "node:path";
import { CleatsError } from "../contract/errors.ts";

/** A regular file in an archive; its name has been checked. */
export type ArchiveEntry = { readonly name: string; readonly data: Buffer };

export const ARCHIVE_LIMITS = {
	entryBytes: 50 * 1024 * 1024,
	totalBytes: 200 * 1024 * 1024,
	entries: 2_048,
	/** Largest accepted compression ratio; real archives stay far below it. */
	ratio: 200,
} as const;

/** Enforces the limits while an archive is read, and rejects unsafe entry names. */
export class ArchiveGuard {
	readonly #packedBytes: number;
	readonly #names = new Set<string>();
	#total = 0;

	constructor(packedBytes: number) {
		this.#packedBytes = packedBytes;
	}

	/** Returns the name as a path below the target folder; throws ARCHIVE_UNSAFE if it would escape it. */
	name(raw: string): string {
		if (raw === "" || raw.includes("\0") || raw.length > 1_024)
			throw unsafe(raw, "its name is empty, too long or holds a NUL");
		if (raw.startsWith("/") || raw.startsWith("\\") || /^[A-Za-z]:/.test(raw))
			throw unsafe(raw, "its path is absolute");
		const path = posix.normalize(raw.replaceAll("\\", "/"));
		if (path === ".." || path.startsWith("../")) throw unsafe(raw, "it would be written outside the target folder");
		// Names that differ only in case are the same file on some file systems.
		const key = path.toLowerCase().normalize("NFC");
		if (this.#names.has(key)) throw unsafe(raw, "the archive holds that name twice");
		this.#names.add(key);
		if (this.#names.size > ARCHIVE_LIMITS.entries) throw tooLarge("entries", ARCHIVE_LIMITS.entries);
		return path;
	}

	/** Called with declared sizes, before anything is unpacked. */
	size(bytes: number): void {
		if (bytes > ARCHIVE_LIMITS.entryBytes) throw tooLarge("bytes in one entry", ARCHIVE_LIMITS.entryBytes);
		this.#total += bytes;
		if (this.#total > ARCHIVE_LIMITS.totalBytes) throw tooLarge("bytes in all", ARCHIVE_LIMITS.totalBytes);
		if (this.#total > ARCHIVE_LIMITS.ratio * Math.max(this.#packedBytes, 1_024)) {
			throw tooLarge("times its packed size", ARCHIVE_LIMITS.ratio);
		}
	}
}

export function unsafe(name: string, why: string): CleatsError {
	return new CleatsError("ARCHIVE_UNSAFE", `archive entry ${JSON.stringify(name.slice(0, 120))}: ${why}`, {
		entry: name.slice(0, 120),
	});
}

export function tooLarge(what: string, limit: number): CleatsError {
	return new CleatsError("ARCHIVE_TOO_LARGE", `the archive holds more than ${limit} ${what}`, { limit, what });
}
