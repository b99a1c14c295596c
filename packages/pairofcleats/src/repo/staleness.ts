import { discoverFiles } from "../discover/discoverFiles.ts";
import { listRecords } from "../index/recordFiles.ts";
import type { FileStat, IndexReader } from "../index/store.ts";

export type Staleness = {
	readonly changed: number;
	readonly added: number;
	readonly removed: number;
	readonly bytes: number;
	readonly checkedAt: string;
};

export type SweepOptions = { readonly root: string; readonly recordsDir?: string; readonly maxFileBytes?: number };

/** Compares every file on disk with what the index knows of it, by size, time and inode. */
export async function findStaleness(
	stats: ReadonlyMap<string, FileStat>,
	{ root, recordsDir, maxFileBytes }: SweepOptions,
	signal?: AbortSignal,
): Promise<Staleness> {
	const checkedAt = new Date().toISOString();
	const { files } = await discoverFiles(root, {
		...(maxFileBytes !== undefined && { maxFileBytes }),
		...(signal && { signal }),
	});
	let changed = 0;
	let added = 0;
	let bytes = 0;
	let known = 0;
	for (const file of [...files, ...listRecords(recordsDir)]) {
		const stat = stats.get(file.path);
		if (stat) known += 1;
		if (stat && stat.bytes === file.bytes && stat.mtimeMs === file.mtimeMs && stat.inode === file.inode) continue;
		if (stat) changed += 1;
		else added += 1;
		bytes += file.bytes;
	}
	return { changed, added, removed: stats.size - known, bytes, checkedAt };
}

export function readStats(reader: IndexReader): Map<string, FileStat> {
	return new Map([...reader.stats()].map((stat) => [stat.path, stat]));
}
