import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryId } from "../contract/repositoryId.ts";
import type { FoundFile } from "../discover/discoverFiles.ts";

/** The folder of a repository's records below the data root. */
export function triageFolder(dataRoot: string, root: string): string {
	return join(dataRoot, "triage", repositoryId(root));
}

/** Triage records are stored outside the repository. In the index, their paths begin with this name. */
export const RECORDS_PREFIX = "@records/";

/** Adds the records to a repository's files. A repository's folder may have their name; of one path, the record counts. */
export function withRecords(files: readonly FoundFile[], folder: string | undefined): FoundFile[] {
	const records = listRecords(folder);
	if (records.length === 0) return [...files];
	const paths = new Set(records.map(({ path }) => path));
	const others = files.filter(({ path }) => !(path.startsWith(RECORDS_PREFIX) && paths.has(path)));
	return [...others, ...records];
}

/** The records of a folder as files of the index, sorted. */
export function listRecords(folder: string | undefined): FoundFile[] {
	if (folder === undefined) return [];
	let names: string[];
	try {
		names = readdirSync(folder).filter((name) => name.endsWith(".json"));
	} catch {
		return [];
	}
	const files: FoundFile[] = [];
	for (const name of names.sort()) {
		const stat = statSync(join(folder, name), { throwIfNoEntry: false });
		if (stat?.isFile()) {
			const path = `${RECORDS_PREFIX}${name}`;
			const { size: bytes, mtimeMs, ctimeMs, ino: inode } = stat;
			files.push({ path, bytes, mtimeMs, ctimeMs, inode, role: "source", isRecord: true });
		}
	}
	return files;
}
