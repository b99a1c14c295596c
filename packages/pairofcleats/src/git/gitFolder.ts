import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularText } from "../files/readFiles.ts";

/** The git folder of the repository around a folder; in a linked work tree or a submodule, the file `.git` names it. */
export function findGitFolder(root: string): string | undefined {
	const top = findWorkTree(root);
	if (top === undefined) return undefined;
	const found = join(top, ".git");
	if (existsSync(join(found, "HEAD"))) return found;
	const named = /^gitdir: (.+)$/m.exec(readRegularText(found) ?? "")?.[1];
	return named && resolve(top, named.trim());
}

/** The top folder of the repository around a folder. */
export function findWorkTree(root: string): string | undefined {
	for (let folder = root; ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".git"))) return folder;
		if (folder === dirname(folder)) return undefined;
	}
}

/** Linked work trees share the branches of the main one. */
export function findCommonFolder(folder: string): string {
	const named = readRegularText(join(folder, "commondir"));
	return named === undefined ? folder : resolve(folder, named.trim());
}

/** Whether two folders are work trees of one repository. */
export function isSameRepository(one: string, other: string): boolean {
	try {
		const [ours, theirs] = [one, other].map((root) => {
			const folder = findGitFolder(root);
			return folder && realpathSync(findCommonFolder(folder));
		});
		return ours !== undefined && ours === theirs;
	} catch {
		return false;
	}
}

/** Whether a folder or one of its parents is a git repository. */
export function isInsideRepository(root: string): boolean {
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
