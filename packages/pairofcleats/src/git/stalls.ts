import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readRegularText } from "../files/readFiles.ts";
import { findCommonFolder, findGitFolder } from "./gitFolder.ts";

/** What nearly every git command reads of a repository; of a linked work tree, some are in the main one's folder. */
const OWN_FILES = ["HEAD", "index", "commondir", "config.worktree", "info/sparse-checkout"] as const;
const SHARED_FILES = [
	"config",
	"packed-refs",
	"shallow",
	"info/attributes",
	"info/exclude",
	"info/grafts",
	"objects/info/alternates",
	"objects/info/commit-graph",
	"objects/pack/multi-pack-index",
] as const;
/** What git reads in every folder of a work tree. */
const TREE_FILES: ReadonlySet<string> = new Set([".gitignore", ".gitattributes", ".mailmap", ".gitmodules"]);
/** Folders read per event loop turn, and in all. */
const BATCH = 200;
const MOST_FOLDERS = 100_000;
/** One that borrows from more folders of objects is not looked into further. */
const MOST_ALTERNATES = 16;

/** Why git would never end if it read this file; `undefined` for one that ends. */
export function describeStall(path: string): string | undefined {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat?.isFIFO()) return "is a pipe, on which it would wait forever";
	return stat && isEndless(stat) ? "is a device, which it would read forever" : undefined;
}

function isEndless(stat: Stats): boolean {
	if (stat.isBlockDevice()) return true;
	return stat.isCharacterDevice() && stat.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

/** Looks at the files that nearly every git command reads, which takes no time; says what git would wait for. */
export function findHazard(root: string): string | undefined {
	try {
		const folder = findGitFolder(root);
		if (folder === undefined) return undefined;
		const shared = findCommonFolder(folder);
		const branch = /^ref: (refs\/[^\0\n]+)/.exec(readRegularText(join(folder, "HEAD")) ?? "")?.[1];
		return (
			firstStall(folder, OWN_FILES) ??
			firstStall(shared, branch === undefined ? SHARED_FILES : [...SHARED_FILES, branch])
		);
	} catch {
		return undefined; // A path that cannot be looked at, which git will say better.
	}
}

function firstStall(folder: string, names: readonly string[]): string | undefined {
	for (const name of names) {
		const stall = describeStall(join(folder, name));
		if (stall !== undefined) return `.git/${name} ${stall}`;
	}
	return undefined;
}

/** Searches all that git may read of a repository for what it would wait for. For a git that is silent for long. */
export async function searchStall(root: string): Promise<string | undefined> {
	const folder = findGitFolder(root);
	if (folder === undefined) return undefined;
	const shared = findCommonFolder(folder);
	for (const place of new Set([folder, shared, ...alternatesOf(join(shared, "objects"))])) {
		const found = await searchFolder(place, () => true);
		if (found !== undefined) return `.git/${found}`;
	}
	return searchFolder(root, (name) => TREE_FILES.has(name));
}

function alternatesOf(objects: string): readonly string[] {
	const found = [objects];
	for (const place of found) {
		const lines = (readRegularText(join(place, "info/alternates")) ?? "").split("\n").filter(Boolean);
		for (const line of lines)
			if (found.length < MOST_ALTERNATES) found.push(join(line.startsWith("/") ? "" : place, line));
	}
	return found.slice(1);
}

/** Follows links to files but not to folders. */
async function searchFolder(top: string, isRead: (name: string) => boolean): Promise<string | undefined> {
	const waiting = [top];
	for (let count = 1; waiting.length > 0 && count <= MOST_FOLDERS; count += 1) {
		const folder = waiting.pop() ?? top;
		for (const entry of entriesOf(folder)) {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) waiting.push(path);
			if (entry.isFile() || entry.isDirectory() || !isRead(entry.name)) continue;
			const stall = describeStall(path);
			if (stall !== undefined) return `${relative(top, path)} ${stall}`;
		}
		if (count % BATCH === 0) await nextTurn();
	}
	return undefined;
}

function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return []; // Gone, or closed to git as well.
	}
}
