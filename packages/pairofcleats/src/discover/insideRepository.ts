import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether a folder or one of its parents is a git repository. */
export function insideRepository(root: string): boolean {
	for (let folder = root; ; ) {
		if (existsSync(join(folder, ".git"))) return true;
		const parent = join(folder, "..");
		if (parent === folder) return false;
		folder = parent;
	}
}

/** Whether a folder is git's own data: a bare repository, or a `.git` folder. */
export function isGitFolder(folder: string): boolean {
	const isFolder = (name: string): boolean =>
		statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
	return existsSync(join(folder, "HEAD")) && isFolder("objects") && isFolder("refs");
}
