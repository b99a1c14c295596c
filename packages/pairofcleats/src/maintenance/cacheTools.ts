import { type Dirent, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ifPresent } from "libmcp/command";
import { CleatsError } from "../contract/errors.ts";
import { listIndexFiles, openIndexFolder } from "../store/indexFolder.ts";
import { isIndexOpen, takeWriteLock, type WriteLock } from "../store/writeLock.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";

const DAY_MS = 86_400_000;
const GB = 2 ** 30;

/** Why an entry is removed: too old, over the size limit, or left behind by an interrupted removal. */
type Reason = "age" | "quota" | "leftover";

type Removal = {
	readonly id: string;
	readonly bytes: number;
	readonly reason: Reason;
	readonly outcome: "would_go" | "removed" | "in_use";
};

export const collectCache: ToolHandler<"cache_gc"> = async (args, { workspace, signal }) => {
	const quota = args.maxBytes ?? (args.maxGb === undefined ? undefined : args.maxGb * GB);
	if (quota === undefined && args.maxAgeDays === undefined) {
		throw new CleatsError("INVALID_REQUEST", "maxBytes, maxGb or maxAgeDays: expected a limit, got none", {
			field: "maxBytes",
		});
	}
	const entries = cacheEntries(workspace.cacheRoot);
	const used = new Set(workspace.roots.map((root) => basename(openIndexFolder(workspace.cacheRoot, root).path)));
	const removals: Removal[] = [];
	for (const { entry, reason } of chosen(entries, used, quota, args.maxAgeDays)) {
		signal.throwIfAborted();
		const outcome = args.dryRun === true ? "would_go" : await removeUnused(entry);
		removals.push({ id: entry.id, bytes: entry.bytes, reason, outcome });
	}
	const freedBytes = removals.filter(({ outcome }) => outcome === "removed").reduce((sum, { bytes }) => sum + bytes, 0);
	const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
	return { removals, freedBytes, dryRun: args.dryRun === true, totals: { entries: entries.length, bytes: total } };
};

/**
 * Selects leftovers and expired entries, then the least recently used until the rest fits; never a repository served by
 * this server, whether it is open or not.
 */
function chosen(
	entries: readonly CacheEntry[],
	used: ReadonlySet<string>,
	quota: number | undefined,
	maxAgeDays: number | undefined,
): { entry: CacheEntry; reason: Reason }[] {
	const picked: { entry: CacheEntry; reason: Reason }[] = [];
	const oldest = maxAgeDays === undefined ? Number.NEGATIVE_INFINITY : Date.now() - maxAgeDays * DAY_MS;
	let left = entries.reduce((sum, { bytes }) => sum + bytes, 0);
	for (const entry of entries) {
		if (used.has(entry.id) && !entry.leftover) continue;
		const late = entry.usedAt < oldest ? "age" : quota !== undefined && left > quota ? "quota" : undefined;
		const reason = entry.leftover ? "leftover" : late;
		if (reason === undefined) continue;
		picked.push({ entry, reason });
		left -= entry.bytes;
	}
	return picked;
}

export const cleanArtifacts: ToolHandler<"clean_artifacts"> = async (args, { workspace, signal }) => {
	const { label, root } = workspace.locate(args.repoPath);
	const own = basename(openIndexFolder(workspace.cacheRoot, root).path);
	const removals: { id: string; bytes: number; outcome: "would_go" | "removed" | "in_use" }[] = [];
	for (const entry of cacheEntries(workspace.cacheRoot)) {
		signal.throwIfAborted();
		if (args.all !== true && entry.id !== own) continue;
		removals.push({
			id: entry.id,
			bytes: entry.bytes,
			outcome: args.dryRun === true ? "would_go" : await removeEntry(entry),
		});
	}
	const freedBytes = removals.filter(({ outcome }) => outcome === "removed").reduce((sum, { bytes }) => sum + bytes, 0);
	return { repo: label, removals, freedBytes, dryRun: args.dryRun === true };
};

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
	return !entry.leftover && listIndexFiles(entry.path).some(isIndexOpen) ? "in_use" : removeEntry(entry);
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
