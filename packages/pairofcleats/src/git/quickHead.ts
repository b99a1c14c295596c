import { existsSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../files/regularText.ts";
import { commonFolder, gitFolder } from "./gitFolder.ts";

export type QuickHead = { readonly head: string; readonly branch: string };

/**
 * Reads the branch and commit of a repository from its files, because this runs before every search and starting git is
 * slow. `undefined` if the files are not enough (no repository, another reference format).
 */
export function quickHead(root: string): QuickHead | undefined {
	try {
		const folder = gitFolder(root);
		if (folder === undefined) return undefined;
		const head = (regularText(join(folder, "HEAD")) ?? "").trim();
		if (HASH.test(head)) return { head, branch: "" };
		const branch = /^ref: refs\/heads\/([^\0]+)$/.exec(head)?.[1];
		if (branch === undefined || branch.includes("..")) return undefined;
		const commit = commitOf(commonFolder(folder), `refs/heads/${branch}`);
		return commit === undefined ? undefined : { head: commit, branch };
	} catch {
		return undefined;
	}
}

const HASH = /^[0-9a-f]{40,64}$/;

function commitOf(folder: string, reference: string): string | undefined {
	const loose = join(folder, reference);
	if (existsSync(loose)) {
		const commit = (regularText(loose) ?? "").trim();
		return HASH.test(commit) ? commit : undefined;
	}
	const packed = (regularText(join(folder, "packed-refs")) ?? "").split("\n");
	return packed.find((line) => line.endsWith(` ${reference}`))?.split(" ")[0];
}
