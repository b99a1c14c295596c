import { type Dirent, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readRegularText } from "../files/readFiles.ts";
import { isInsideRepository } from "../git/gitFolder.ts";
import type { Listing } from "./discoverFiles.ts";
import { IGNORE_FILES, NEVER_ENTERED } from "./ignoreRules.ts";
import { followLinks, isAbsent, type Look, type Looks, lookAt, looksTheSame, packLooks } from "./looks.ts";

/** With coarse timestamps, a folder read within this time of a change can change again without a new timestamp. */
export const TICK_MS = 2_000;
/** With more folders than this, listing with git is cheaper. */
const MOST_FOLDERS = 30_000;
/** Folders read per event loop turn. */
const BATCH = 500;

/** Stat data of a tree's folders, ignore files and git indexes: any change of the listing changes one of these. */
export type TreeMarks = { readonly paths: readonly string[]; readonly looks: Looks };

export async function doMarksHold({ paths, looks }: TreeMarks): Promise<boolean> {
	for (let place = 0; place < paths.length; place++) {
		if (!looksTheSame(paths[place] ?? "", looks, place)) return false;
		if (place % BATCH === BATCH - 1) await nextTurn();
	}
	return true;
}

/** Marks being collected, by path. */
export type MarkLog = Map<string, Look>;

/**
 * Marks every folder below the root, including ignored ones, because a listing does not tell which folders without
 * files are relevant. The mark of a folder that has just changed never holds. `undefined` if there are too many
 * folders, or if one has just changed and all must be `settled`.
 */
export async function takeMarks(root: string, settled = false): Promise<MarkLog | undefined> {
	const marks: MarkLog = new Map();
	const now = Date.now();
	const byGit = isInsideRepository(root);
	for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
		markAside(folder, [".git", ...IGNORE_FILES], marks);
	}
	const waiting = [root];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		// Stat before reading, so that anything added later changes the timestamp.
		const seen = lookAt(folder);
		const young = Math.abs(now - seen.mtimeMs) < TICK_MS;
		if (young && settled) return undefined;
		marks.set(folder, young ? { ...seen, mtimeMs: Number.NaN } : seen);
		const aside: string[] = [];
		for (const entry of entriesOf(folder)) {
			if (entry.name === ".git" || IGNORE_FILES.some((name) => name === entry.name)) aside.push(entry.name);
			else if (!entry.isDirectory()) continue;
			else if (!NEVER_ENTERED.has(entry.name)) waiting.push(`${folder}/${entry.name}`);
			else if (byGit) markEmpty(`${folder}/${entry.name}`, marks);
		}
		markAside(folder, aside, marks);
		if (marks.size > MOST_FOLDERS) return undefined;
		if (marks.size % BATCH === 0) await nextTurn();
	}
	return marks;
}

/** Marks an empty folder that git would enter: a file added there would be listed, and no other mark would show it. */
function markEmpty(folder: string, marks: MarkLog): void {
	const seen = lookAt(folder);
	if (entriesOf(folder).length === 0) marks.set(folder, seen);
}

function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

/** Marks only the git files that affect the listing, because the timestamp of git's folder changes with every lock. */
function markAside(folder: string, names: readonly string[], marks: MarkLog): void {
	for (const name of names) {
		const paths = name === ".git" ? gitFiles(folder).flatMap(followLinks) : [join(folder, name)];
		for (const path of paths) marks.set(path, lookAt(path));
	}
}

/** In a linked work tree or a submodule, the git folder is elsewhere, and a work tree shares part of it. */
function gitFiles(folder: string): string[] {
	const dotGit = join(folder, ".git");
	const own = resolve(folder, firstLine(dotGit, /^gitdir: (.+)$/m) ?? dotGit);
	const shared = resolve(own, firstLine(join(own, "commondir"), /^(.+)$/m) ?? own);
	return [join(own, "index"), join(own, "config.worktree"), join(shared, "info/exclude"), join(shared, "config")];
}

function firstLine(path: string, pattern: RegExp): string | undefined {
	return pattern.exec(readRegularText(path) ?? "")?.[1]?.trim();
}

/**
 * The marks, if they cover the folder of each listed file. A folder that git lists but that no longer exists is marked
 * as absent. For a folder that exists but was not entered, no mark would show a new file, so the result is `undefined`.
 */
export function selectMarks({ root, paths }: Listing, marks: MarkLog): TreeMarks | undefined {
	let last = "";
	for (const path of paths) {
		const slash = path.lastIndexOf("/");
		const folder = slash < 0 ? root : `${root}/${path.slice(0, slash)}`;
		if (folder === last || marks.has(folder)) continue;
		last = folder;
		const seen = lookAt(folder);
		if (!isAbsent(seen)) return undefined;
		marks.set(folder, seen);
	}
	return { paths: [...marks.keys()], looks: packLooks([...marks.values()]) };
}
