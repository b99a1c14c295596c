import type { StatFile } from "../discover/statFiles.ts";
import type { FileStat } from "../store/store.ts";

/**
 * Whether a file may have changed since it was indexed. Programs can set its modification time back, and new rights do
 * not change it, but either sets the change time.
 */
export function hasChanged(file: StatFile, indexed: FileStat | undefined): boolean {
	return (
		indexed === undefined ||
		indexed.bytes !== file.bytes ||
		indexed.mtimeMs !== file.mtimeMs ||
		indexed.ctimeMs !== file.ctimeMs ||
		indexed.inode !== file.inode
	);
}
