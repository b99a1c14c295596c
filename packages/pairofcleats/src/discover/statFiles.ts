import { constants, lstatSync, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasBinaryExtension } from "./classifyPath.ts";
import { isAbsent, isShut, type Look, lookAt } from "./looks.ts";

/** A regular text file inside the root. `path` is relative to it, with forward slashes. */
export type StatFile = {
	readonly path: string;
	readonly bytes: number;
	readonly mtimeMs: number;
	readonly ctimeMs: number;
	readonly inode: number;
};

/** Why a listed path is skipped. */
export type SkipReason = "binary" | "oversize" | "symlink" | "special" | "missing" | "unreadable";

export type StatBudget = { readonly maxFileBytes: number; readonly skipped: Record<SkipReason, number> };

/** Synchronous calls are several times cheaper per file; yield to the event loop after this many. */
const BATCH = 500;

export type StatOutcome = {
	readonly files: StatFile[];
	/** One look per path, except for paths outside the root. */
	readonly looks: readonly Look[];
};

/** Stats each path without following links and keeps the regular text files that lie inside the root. */
export async function statFiles(
	root: string,
	paths: readonly string[],
	budget: StatBudget,
	/** Whether all folders of the paths are known to be inside the root. */
	areInside: boolean,
	signal?: AbortSignal,
): Promise<StatOutcome> {
	const files: StatFile[] = [];
	const looks: Look[] = [];
	const insideByFolder = new Map<string, boolean>();
	for (let at = 0; at < paths.length; at += BATCH) {
		signal?.throwIfAborted();
		for (const path of paths.slice(at, at + BATCH)) {
			if (!areInside && !folderInside(root, path, insideByFolder)) {
				budget.skipped.symlink += 1;
				continue;
			}
			const seen = lookAt(`${root}/${path}`);
			looks.push(seen);
			const reason = reasonToSkip(root, path, seen, budget.maxFileBytes);
			if (reason !== undefined) {
				budget.skipped[reason] += 1;
				continue;
			}
			const { bytes, mtimeMs, ctimeMs, inode } = seen;
			files.push({ path, bytes, mtimeMs, ctimeMs, inode });
		}
		if (at + BATCH < paths.length) await nextTurn();
	}
	return { files, looks };
}

function reasonToSkip(root: string, path: string, seen: Look, maxFileBytes: number): SkipReason | undefined {
	// A name that is not valid UTF-8 cannot be opened by its decoded form.
	if (path.includes("\uFFFD") || path.includes("\0") || isShut(seen)) return "unreadable";
	if (isAbsent(seen)) return "missing";
	const kind = seen.mode & constants.S_IFMT;
	if (kind === constants.S_IFLNK) return "symlink";
	// A folder is listed if it could not be entered, or if it is a submodule that was not fetched.
	if (kind === constants.S_IFDIR) return opens(`${root}/${path}`) ? "special" : "unreadable";
	if (kind !== constants.S_IFREG) return "special";
	if (hasBinaryExtension(path)) return "binary";
	return seen.bytes > maxFileBytes ? "oversize" : undefined;
}

function opens(folder: string): boolean {
	try {
		readdirSync(folder);
		return true;
	} catch {
		return false;
	}
}

/**
 * Whether a path's folder is inside the root. A tracked folder or one of its parents may have become a symbolic link.
 */
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
