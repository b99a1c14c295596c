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

export function isRecordPath(path: string): boolean {
	return path.startsWith(RECORDS_PREFIX);
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
			files.push({ path, bytes, mtimeMs, ctimeMs, inode, role: "source" });
		}
	}
	return files;
}
