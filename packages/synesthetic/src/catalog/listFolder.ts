import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { byCodePoint } from "../json/order.ts";

/** A file of a folder, by its path inside it with `/` as separator; `problem` says why it is not to be read. */
export type ListedFile = { readonly path: string; readonly file: string; readonly problem?: string };

const MAX_FILES = 20_000;

/**
 * Every `.json` file under the folder, in code point order. A folder that cannot be listed, and a link that leads nowhere or
 * outside, is an entry with its problem.
 */
export function listFolder(directory: string, maxFiles: number = MAX_FILES): ListedFile[] {
	const root = realpathSync(directory);
	const found = walk(root, "").sort((a, b) => byCodePoint(a.path, b.path));
	if (found.length > maxFiles)
		found.splice(maxFiles, found.length, { path: "", problem: `only the first ${maxFiles} files are read` });
	return found.flatMap(({ path, isLink, ...known }): ListedFile[] => {
		const file = join(root, path);
		if (isLink !== true) return [{ path, file, ...known }];
		const leads = whereTo(file, root);
		return leads === "elsewhere" ? [] : [{ path, file, ...leads }];
	});
}

/** In a few words; never the operating system's text with its paths. */
export function problemOf(error: unknown): string {
	const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
	return WORDS[code] ?? code;
}

const WORDS: Readonly<Record<string, string>> = {
	ENOENT: "no such file",
	EACCES: "permission denied",
	EISDIR: "is a folder",
};

type Found = { readonly path: string; readonly isLink?: boolean; readonly problem?: string };

function walk(root: string, below: string): Found[] {
	let entries: Dirent[];
	try {
		entries = readdirSync(join(root, below), { withFileTypes: true });
	} catch (error) {
		return [{ path: below, problem: problemOf(error) }];
	}
	return entries.flatMap((entry): Found[] => {
		const path = below === "" ? entry.name : `${below}/${entry.name}`;
		if (entry.isDirectory()) return walk(root, path);
		if (!entry.name.endsWith(".json")) return [];
		if (entry.isSymbolicLink()) return [{ path, isLink: true }];
		return entry.isFile() ? [{ path }] : [];
	});
}

/** What is wrong with a link, nothing maybe; "elsewhere" when it leads to something else than a file. */
function whereTo(link: string, root: string): { readonly problem?: string } | "elsewhere" {
	try {
		if (!statSync(link).isFile()) return "elsewhere";
		const inside = realpathSync(link).startsWith(root.endsWith(sep) ? root : root + sep);
		return inside ? {} : { problem: "a link that leads outside the folder" };
	} catch (error) {
		const problem = problemOf(error);
		return { problem: ["no such file", "ELOOP"].includes(problem) ? "a link that leads nowhere" : problem };
	}
}
