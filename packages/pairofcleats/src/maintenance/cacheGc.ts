import { basename } from "node:path";
import { CleatsError } from "../contract/errors.ts";
import { indexFolder } from "../store/indexFolder.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { type CacheEntry, cacheEntries, removeUnused } from "./cacheEntries.ts";

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

export const handler: ToolHandler<"cache_gc"> = async (args, { workspace, signal }) => {
	const quota = args.maxBytes ?? (args.maxGb === undefined ? undefined : args.maxGb * GB);
	if (quota === undefined && args.maxAgeDays === undefined) {
		throw new CleatsError("INVALID_REQUEST", "maxBytes, maxGb or maxAgeDays: expected a limit, got none", {
			field: "maxBytes",
		});
	}
	const entries = cacheEntries(workspace.cacheRoot);
	const used = new Set(workspace.roots.map((root) => basename(indexFolder(workspace.cacheRoot, root).path)));
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
