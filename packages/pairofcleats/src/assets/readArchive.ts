import { gunzipSync } from "node:zlib";
import { errorCode } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { ARCHIVE_LIMITS, type ArchiveEntry, ArchiveGuard, tooLarge } from "./archiveEntry.ts";
import { readTar } from "./readTar.ts";
import { readZip } from "./readZip.ts";

const ARCHIVE_SUFFIXES = [".zip", ".tar", ".tar.gz", ".tgz"] as const;

export function isArchive(name: string): boolean {
	return ARCHIVE_SUFFIXES.some((suffix) => name.toLowerCase().endsWith(suffix));
}

/** Reads all files of an archive into memory; the format is detected from its first bytes. */
export function readArchive(bytes: Buffer): ArchiveEntry[] {
	const guard = new ArchiveGuard(bytes.length);
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(gunzip(bytes), guard);
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, guard);
	return readTar(bytes, guard);
}

function gunzip(bytes: Buffer): Buffer {
	try {
		// The size limit plus the headers and padding of a tar with the most entries.
		const most = ARCHIVE_LIMITS.totalBytes + ARCHIVE_LIMITS.entries * 1_536;
		return gunzipSync(bytes, { maxOutputLength: Math.min(most, ARCHIVE_LIMITS.ratio * Math.max(bytes.length, 1_024)) });
	} catch (error) {
		if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") {
			throw tooLarge("times its packed size or the limit in all", ARCHIVE_LIMITS.ratio);
		}
		throw new CleatsError("ARCHIVE_UNSAFE", "the archive's compressed data is damaged");
	}
}
