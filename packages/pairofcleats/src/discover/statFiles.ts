import { lstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasBinaryExtension } from "./classifyPath.ts";
import type { FoundFile, SkipReason } from "./discoverFiles.ts";

export type StatBudget = { readonly maxFileBytes: number; readonly skipped: Record<SkipReason, number> };

/** Synchronous calls are several times cheaper per file; the loop is given back this often. */
const BATCH = 500;

/** Stats each path without following links and keeps the regular text files that lie inside the root. */
export async function statFiles(
	root: string,
	paths: readonly string[],
	budget: StatBudget,
	insideByFolder: Map<string, boolean>,
	signal?: AbortSignal,
): Promise<Omit<FoundFile, "role">[]> {
	const files: Omit<FoundFile, "role">[] = [];
	for (let at = 0; at < paths.length; at += BATCH) {
		signal?.throwIfAborted();
		for (const path of paths.slice(at, at + BATCH)) {
			const outcome = statOne(root, path, budget.maxFileBytes, insideByFolder);
			if (typeof outcome === "string") budget.skipped[outcome] += 1;
			else files.push(outcome);
		}
		if (at + BATCH < paths.length) await nextTurn();
	}
	return files;
}

function statOne(
	root: string,
	path: string,
	maxFileBytes: number,
	insideByFolder: Map<string, boolean>,
): Omit<FoundFile, "role"> | SkipReason {
	// A name that is not UTF-8 cannot be opened again by the decoded one.
	if (path.includes("\uFFFD") || path.includes("\0")) return "unreadable";
	if (!folderInside(root, path, insideByFolder)) return "symlink";
	try {
		const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
		if (!stat) return "missing";
		if (stat.isSymbolicLink()) return "symlink";
		if (!stat.isFile()) return "special";
		if (hasBinaryExtension(path)) return "binary";
		if (stat.size > maxFileBytes) return "oversize";
		return { path, bytes: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino };
	} catch {
		return "unreadable";
	}
}

/** A tracked folder may since have become a link to somewhere else, and so may any above it. */
function folderInside(root: string, path: string, known: Map<string, boolean>): boolean {
	const slash = path.lastIndexOf("/");
	if (slash < 0) return true;
	const folder = path.slice(0, slash);
	const before = known.get(folder);
	if (before !== undefined) return before;
	const inside = folderInside(root, folder, known) && !isLink(`${root}/${folder}`);
	known.set(folder, inside);
	return inside;
}

function isLink(folder: string): boolean {
	try {
		return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
	} catch {
		return false; // It cannot be looked at: the file's own lstat will say so.
	}
}
