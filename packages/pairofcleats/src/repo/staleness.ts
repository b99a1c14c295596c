import { type DiscoverOptions, type Discovery, discoverFiles } from "../discover/discoverFiles.ts";
import { quickHead } from "../index/quickHead.ts";
import { listRecords } from "../index/recordFiles.ts";
import type { FileStat, IndexReader } from "../index/store.ts";

export type Staleness = {
	readonly changed: number;
	readonly added: number;
	readonly removed: number;
	readonly bytes: number;
	readonly checkedAt: string;
	/** Git stands at another commit or branch than the index knows. */
	readonly moved: boolean;
	readonly found: Pick<Discovery, "files" | "skipped">;
};

export type SweepOptions = { readonly root: string; readonly recordsDir?: string; readonly maxFileBytes?: number };

/** Compares every file on disk with what the index knows of it, by size, time and inode. */
export async function findStaleness(
	stats: ReadonlyMap<string, FileStat>,
	reader: IndexReader,
	{ root, recordsDir, maxFileBytes }: SweepOptions,
	find: (options: DiscoverOptions) => Promise<Discovery> = (options) => discoverFiles(root, options),
): Promise<Staleness> {
	const checkedAt = new Date().toISOString();
	const found = await find(maxFileBytes === undefined ? {} : { maxFileBytes });
	let changed = 0;
	let added = 0;
	let bytes = 0;
	let known = 0;
	for (const file of [...found.files, ...listRecords(recordsDir)]) {
		const stat = stats.get(file.path);
		if (stat) known += 1;
		if (stat && stat.bytes === file.bytes && stat.mtimeMs === file.mtimeMs && stat.inode === file.inode) continue;
		if (stat) changed += 1;
		else added += 1;
		bytes += file.bytes;
	}
	const git = quickHead(root);
	const moved = git !== undefined && (git.head !== reader.meta("head") || git.branch !== reader.meta("branch"));
	return { changed, added, removed: stats.size - known, bytes, checkedAt, moved, found };
}

export function readStats(reader: IndexReader): Map<string, FileStat> {
	const stats = new Map<string, FileStat>();
	for (const stat of reader.stats()) stats.set(stat.path, stat);
	return stats;
}
