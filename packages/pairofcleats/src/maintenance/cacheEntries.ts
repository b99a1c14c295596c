import { type Dirent, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ifPresent } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { indexFilesIn } from "../store/indexFolder.ts";
import { isIndexOpen } from "../store/isIndexOpen.ts";
import { takeWriteLock, type WriteLock } from "../store/writeLock.ts";

/** The index folder of one repository in the cache. */
export type CacheEntry = {
	readonly id: string;
	readonly path: string;
	readonly bytes: number;
	readonly usedAt: number;
	/** Renamed by a removal that was interrupted; no longer in use. */
	readonly leftover: boolean;
};

const ENTRY = /^([\w.-]+-[0-9a-f]{12})(\.removed-\d+)?$/;

/** Lists the cache entries, least recently used first. Folders that are not named like an index folder are ignored. */
export function cacheEntries(cacheRoot: string): CacheEntry[] {
	const folder = join(cacheRoot, "repos");
	const names = existsSync(folder) ? readdirSync(folder) : [];
	return names
		.flatMap((name) => {
			const [, id, removed] = ENTRY.exec(name) ?? [];
			const path = join(folder, name);
			return id === undefined ? [] : [{ id, path, leftover: removed !== undefined, ...measure(path) }];
		})
		.sort((a, b) => a.usedAt - b.usedAt || (a.id < b.id ? -1 : 1));
}

/** Removes an entry that no process writes or has open. */
export async function removeUnused(entry: CacheEntry): Promise<"removed" | "in_use"> {
	return !entry.leftover && indexFilesIn(entry.path).some(isIndexOpen) ? "in_use" : removeEntry(entry);
}

/** Removes an entry unless it is being written. Renames it first, so that readers never see a partly deleted index. */
export async function removeEntry(entry: CacheEntry): Promise<"removed" | "in_use"> {
	if (entry.leftover) {
		rmSync(entry.path, { recursive: true, force: true });
		return "removed";
	}
	let lock: WriteLock;
	try {
		lock = await takeWriteLock(entry.path);
	} catch (error) {
		if (error instanceof CleatsError && error.code === "QUEUE_OVERLOADED") return "in_use";
		throw error;
	}
	const doomed = `${entry.path}.removed-${process.pid}`;
	try {
		renameSync(entry.path, doomed);
	} finally {
		lock.release();
	}
	rmSync(doomed, { recursive: true, force: true });
	return "removed";
}

function measure(folder: string): { bytes: number; usedAt: number } {
	let bytes = 0;
	let usedAt = 0;
	for (const entry of filesBelow(folder)) {
		if (!entry.isFile()) continue;
		const stat = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
		bytes += stat?.size ?? 0;
		// Searches only read, so access times count as well.
		usedAt = Math.max(usedAt, stat?.mtimeMs ?? 0, stat?.atimeMs ?? 0);
	}
	return { bytes, usedAt };
}

/** The folder can vanish while another process removes it. */
function filesBelow(folder: string): Dirent[] {
	return ifPresent(() => readdirSync(folder, { withFileTypes: true, recursive: true })) ?? [];
}
