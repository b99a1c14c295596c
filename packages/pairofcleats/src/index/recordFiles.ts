import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, ifPresent } from "libmcp/command";
import { repositoryId } from "../contract/environment.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";

/** The folder of a repository's records below the data root. */
export function triageFolder(dataRoot: string, root: string): string {
	return join(dataRoot, "triage", repositoryId(root));
}

/** Triage records are stored outside the repository. In the index, their paths begin with this name. */
export const RECORDS_PREFIX = "@records/";

export type Listed = {
	readonly files: readonly FoundFile[];
	/** Why the records cannot be read, if so. Then the files have no path of a record, and those in the index stand. */
	readonly unreadable?: string;
};

/** Adds the records to a repository's files. A repository's folder may have their name; of one path, the record counts. */
export function addRecords(files: readonly FoundFile[], folder: string | undefined): Listed {
	const { files: records, unreadable } = listRecords(folder);
	if (unreadable !== undefined) return { files: files.filter(({ path }) => !isRecordPath(path)), unreadable };
	if (records.length === 0) return { files };
	const paths = new Set(records.map(({ path }) => path));
	const others = files.filter(({ path }) => !(isRecordPath(path) && paths.has(path)));
	return { files: [...others, ...records] };
}

/** The records of a folder as files of the index, sorted. Only a folder that is not there has none. */
export function listRecords(folder: string | undefined): Listed {
	if (folder === undefined) return { files: [] };
	try {
		const names = ifPresent(() => readdirSync(folder)) ?? [];
		const ours = names.filter((name) => name.endsWith(".json")).sort();
		return { files: ours.flatMap((name) => recordFile(folder, name)) };
	} catch (error) {
		const why = errorCode(error) ?? String(error);
		return { files: [], unreadable: `the records cannot be read (${why}); some may be missing until they can` };
	}
}

export function isRecordPath(path: string): boolean {
	return path.startsWith(RECORDS_PREFIX);
}

function recordFile(folder: string, name: string): FoundFile[] {
	const stat = statSync(join(folder, name), { throwIfNoEntry: false });
	if (!stat?.isFile()) return [];
	const { size: bytes, mtimeMs, ctimeMs, ino: inode } = stat;
	return [{ path: `${RECORDS_PREFIX}${name}`, bytes, mtimeMs, ctimeMs, inode, isRecord: true }];
}
