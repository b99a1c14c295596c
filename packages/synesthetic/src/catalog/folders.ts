import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorCode } from "libmcp/command";
import { compareByCodePoint, type JsonValue } from "../json/jsonValue.ts";
import { canBeSpeltAnew, parseJson, parseSpelt } from "../json/parseJson.ts";
import { describeSyntaxError } from "../json/syntaxError.ts";
import type { Settings } from "../settings.ts";

/** A JSON file in a folder; `path` is relative to the folder. An unusable file has a `problem` instead of a value. */
export type JsonFile = { readonly path: string; readonly file: string } & (
	| (JsonContent & { readonly problem?: never })
	| { readonly problem: string; readonly value?: never; readonly spelt?: never }
);

/** A file's content: `value` to compute with, and `spelt` to show, with every number as written in the file. */
type JsonContent = { readonly value: JsonValue; readonly spelt: JsonValue };

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Reads every `.json` file under the folder, in code point order. */
export function readFolder(directory: string, maxFiles?: number): JsonFile[] {
	return listFolder(directory, maxFiles).map(
		({ path, file, problem }): JsonFile => ({ path, file, ...(problem === undefined ? readJson(file) : { problem }) }),
	);
}

function readJson(file: string): JsonContent | { problem: string } {
	try {
		if (statSync(file).size > MAX_FILE_BYTES) return { problem: `larger than ${MAX_FILE_BYTES} bytes` };
		const bytes = readFileSync(file);
		if (!isUtf8(bytes)) return { problem: "not UTF-8" };
		return parse(bytes.toString());
	} catch (error) {
		return { problem: describeReadProblem(error) };
	}
}

function parse(text: string): JsonContent | { problem: string } {
	try {
		const value = parseJson(text);
		return { value, spelt: canBeSpeltAnew(text) ? parseSpelt(text) : value };
	} catch (error) {
		if (error instanceof SyntaxError) return { problem: describeSyntaxError(text) };
		throw error;
	}
}

/**
 * A file in a folder. `path` is relative to the folder, with `/` as separator; `problem` says why not to read the file.
 */
type ListedFile = { readonly path: string; readonly file: string; readonly problem?: string };

const MAX_FILES = 20_000;

/**
 * Every `.json` file under the folder, in code point order. A folder that cannot be listed is an entry with a problem,
 * and so is a link that leads nowhere or outside.
 */
export function listFolder(directory: string, maxFiles: number = MAX_FILES): ListedFile[] {
	const root = realpathSync(directory);
	const found = walk(root, "").sort((a, b) => compareByCodePoint(a.path, b.path));
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
function describeReadProblem(error: unknown): string {
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
		return [{ path: below, problem: describeReadProblem(error) }];
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
		const problem = describeReadProblem(error);
		return { problem: ["no such file", "ELOOP"].includes(problem) ? "a link that leads nowhere" : problem };
	}
}

/** A folder to read from, and the prefix its files are listed under. */
export type Source = { readonly directory: string; readonly prefix: string };

const SUBMODULE = "libs/synesthetic-schemas";

/** The configured folder, else the submodule's under the working directory, else nothing. */
export function findSchemaSource(settings: Settings): Source | undefined {
	return sourceOf(settings.schemasDirectory, `${SUBMODULE}/jsonschema`, settings.workingDirectory);
}

export function findExampleSource(settings: Settings): Source | undefined {
	return sourceOf(settings.examplesDirectory, `${SUBMODULE}/examples`, settings.workingDirectory);
}

function sourceOf(configured: string | undefined, otherwise: string, workingDirectory: string): Source | undefined {
	const directory = resolve(workingDirectory, configured ?? otherwise);
	if (!isDirectory(directory)) return undefined;
	return { directory, prefix: prefixOf(directory, configured ?? otherwise, workingDirectory) };
}

// Never shows absolute paths of the server's machine: files in a folder elsewhere are listed relative to that folder.
function prefixOf(directory: string, written: string, workingDirectory: string): string {
	if (!isAbsolute(written)) return withSlash(join(written).split(sep).join("/"));
	const inside = relative(workingDirectory, directory);
	return inside.startsWith("..") || isAbsolute(inside) ? "" : withSlash(inside.split(sep).join("/"));
}

function withSlash(path: string): string {
	return path === "" || path === "." ? "" : path.endsWith("/") ? path : `${path}/`;
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
