import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its missing parents. Node's recursive `mkdir` reports ENOENT for a read-only disk, and loops
 * forever where a file system returns ENOENT for a folder that cannot have children.
 */
export function makeFolder(path: string, mode?: number): void {
	if (isFolder(path)) return;
	const above = dirname(path);
	if (above !== path) makeFolder(above, mode);
	try {
		mkdirSync(path, mode);
	} catch (error) {
		// Another process may have made it in the meantime.
		if (isFolder(path)) return;
		throw existsSync(path) ? new Error(`${path}: it is a file, where a folder is needed`) : error;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
