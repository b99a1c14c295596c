import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are missing. Node's own way says of a read-only disk that there is no such folder,
 * and asks for ever where a file system says so of a folder that can have none below it.
 */
export function makeFolder(path: string, mode?: number): void {
	if (isFolder(path)) return;
	const above = dirname(path);
	if (above !== path) makeFolder(above, mode);
	try {
		mkdirSync(path, mode);
	} catch (error) {
		// Another process may just have made it.
		if (isFolder(path)) return;
		throw existsSync(path) ? new Error(`${path}: it is a file, where a folder is needed`) : error;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
