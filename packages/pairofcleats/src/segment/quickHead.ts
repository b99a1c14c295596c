import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type QuickHead = { readonly head: string; readonly branch: string };

/**
 * Where a repository stands, read from its files: asking git takes a process or two, and this is asked before every
 * search. `undefined` where the answer is not plain to see (no repository, a linked work tree, a packed reference).
 */
export function quickHead(root: string): QuickHead | undefined {
	try {
		const folder = gitFolder(root);
		if (folder === undefined) return undefined;
		const head = readFileSync(join(folder, "HEAD"), "utf8").trim();
		if (/^[0-9a-f]{40,64}$/.test(head)) return { head, branch: "" };
		const branch = /^ref: refs\/heads\/([^\0]+)$/.exec(head)?.[1];
		if (branch === undefined || branch.includes("..")) return undefined;
		const commit = readFileSync(join(folder, "refs", "heads", branch), "utf8").trim();
		return /^[0-9a-f]{40,64}$/.test(commit) ? { head: commit, branch } : undefined;
	} catch {
		return undefined;
	}
}

function gitFolder(root: string): string | undefined {
	for (let folder = root; ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".git", "HEAD"))) return join(folder, ".git");
		if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return undefined;
	}
}
