import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { errorCode } from "libmcp/command";
import { byCodePoint } from "../json/order.ts";

/**
 * A file in a folder. `path` is relative to the folder, with `/` as separator; `problem` says why not to read the file.
 */
export type ListedFile = { readonly path: string; readonly file: string; readonly problem?: string };

const MAX_FILES = 20_000;

/**
 * Every `.json` file under the folder, in code point order. A folder that cannot be listed is an entry with a problem,
 * and so is a link that leads nowhere or outside.
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

/** An I/O error in a few words, without the operating system's message, which contains paths. */
export function problemOf(error: unknown): string {
	const code = errorCode(error) ?? "unreadable";
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

/** The problem with a link, if there is one; "elsewhere" when it does not lead to a file. */
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
