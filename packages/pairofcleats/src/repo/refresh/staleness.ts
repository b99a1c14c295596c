import { join } from "node:path";
import type { Discovery } from "../../discover/discoverFiles.ts";
import { isInsideRepository } from "../../git/gitFolder.ts";
import { computeHistoryMark, readHeadFiles } from "../../git/heads.ts";
import { hasChanged, makeReaderCheck } from "../../index/hasChanged.ts";
import { addRecords, isRecordPath } from "../../index/recordFiles.ts";
import { parseStoredJson } from "../../store/indexDamage.ts";
import type { FileStat, IndexReader } from "../../store/store.ts";

export type Staleness = {
	readonly changed: number;
	readonly added: number;
	readonly removed: number;
	readonly bytes: number;
	/** Why the records cannot be read, if so; those in the index count as unchanged. */
	readonly unreadable?: string;
};

export type SweepOptions = { readonly root: string; readonly recordsDir?: string; readonly maxFileBytes?: number };

/** Compares the files found on disk with what the index knows of them. */
export function findStaleness(
	stats: ReadonlyMap<string, FileStat>,
	found: Pick<Discovery, "files">,
	recordsDir: string | undefined,
): Staleness {
	let changed = 0;
	let added = 0;
	let bytes = 0;
	let known = 0;
	const isReadable = makeReaderCheck();
	const { files, unreadable } = addRecords(found.files, recordsDir);
	for (const file of files) {
		const stat = stats.get(file.path);
		if (stat) known += 1;
		if (!hasChanged(file, stat) && !isReadable(stat)) continue;
		if (stat) changed += 1;
		else added += 1;
		bytes += file.bytes;
	}
	if (unreadable === undefined) return { changed, added, removed: stats.size - known, bytes };
	const standing = [...stats.keys()].filter(isRecordPath).length;
	return { changed, added, removed: stats.size - known - standing, bytes, unreadable };
}

/** Whether the commit, the branch or how the history reads, here or in a submodule, differs from what is indexed. */
export async function hasMoved(root: string, reader: IndexReader): Promise<boolean> {
	const git = readHeadFiles(root);
	if (git === undefined) return hasMovedByGit(root, reader);
	if (git.head !== reader.meta("head") || git.branch !== reader.meta("branch")) return true;
	const heads: Record<string, string> = { ...parseStoredJson(reader.meta("submodules") || "{}") };
	const isElsewhere = Object.entries(heads).some(([place, head]) => {
		const now = readHeadFiles(join(root, place));
		return now !== undefined && now.head !== head;
	});
	return isElsewhere || computeHistoryMark(root, Object.keys(heads)) !== (reader.meta("historyMark") ?? "");
}

/** Asks git where the files do not tell: on a branch without commits, or with another format of references. */
async function hasMovedByGit(root: string, reader: IndexReader): Promise<boolean> {
	const branch = reader.meta("branch") ?? "";
	if (!isInsideRepository(root)) return branch !== "" || (reader.meta("head") ?? "") !== "";
	// Imported late: nearly all repositories tell by their files.
	const { haveHeadsMoved, readGitHeads } = await import("../../index/gitMeta.ts");
	const heads = await readGitHeads(root);
	return haveHeadsMoved(heads, reader) || (heads?.branch ?? "") !== branch;
}

/** The limits of a sweep, as discovery takes them. */
export function readLimits({ maxFileBytes }: SweepOptions): { maxFileBytes?: number } {
	return maxFileBytes === undefined ? {} : { maxFileBytes };
}

export function readStats(reader: IndexReader): Map<string, FileStat> {
	const stats = new Map<string, FileStat>();
	for (const stat of reader.stats()) stats.set(stat.path, stat);
	return stats;
}
