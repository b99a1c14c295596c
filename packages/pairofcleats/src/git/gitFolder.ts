import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { regularText } from "../files/regularText.ts";

/** The git folder of the repository around a folder; in a linked work tree or a submodule, the file `.git` names it. */
export function gitFolder(root: string): string | undefined {
	const top = workTree(root);
	if (top === undefined) return undefined;
	const found = join(top, ".git");
	if (existsSync(join(found, "HEAD"))) return found;
	const named = /^gitdir: (.+)$/m.exec(regularText(found) ?? "")?.[1];
	return named && resolve(top, named.trim());
}

/** The top folder of the repository around a folder. */
export function workTree(root: string): string | undefined {
	for (let folder = root; ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".git"))) return folder;
		if (folder === dirname(folder)) return undefined;
	}
}

/** Linked work trees share the branches of the main one. */
export function commonFolder(folder: string): string {
	const named = regularText(join(folder, "commondir"));
	return named === undefined ? folder : resolve(folder, named.trim());
}

/** Whether two folders are work trees of one repository. */
export function isSameRepository(one: string, other: string): boolean {
	try {
		const [ours, theirs] = [one, other].map((root) => {
			const folder = gitFolder(root);
			return folder && realpathSync(commonFolder(folder));
		});
		return ours !== undefined && ours === theirs;
	} catch {
		return false;
	}
}
