import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { JsonValue } from "../json/jsonValue.ts";
import { byCodePoint } from "../json/order.ts";
import { parseJson } from "../json/parseJson.ts";

/** A JSON file of a folder, by its path inside it with `/` as separator; `problem` instead of a value if unusable. */
export type JsonFile = { readonly path: string; readonly file: string } & (
	| { readonly value: JsonValue; readonly problem?: never }
	| { readonly problem: string; readonly value?: never }
);

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 20_000;

/**
 * Reads every `.json` file under the folder, in code point order. Links that lead outside are ignored; an unreadable folder
 * is listed as one entry with its problem.
 */
export function readFolder(directory: string, maxFiles: number = MAX_FILES): JsonFile[] {
	const root = realpathSync(directory);
	const found = walk(root, "").sort((a, b) => byCodePoint(a.path, b.path));
	if (found.length > maxFiles)
		found.splice(maxFiles, found.length, { path: "", problem: `only the first ${maxFiles} files are read` });
	return found.flatMap(({ path, problem }): JsonFile[] => {
		const file = join(root, path);
		if (problem !== undefined) return [{ path, file, problem }];
		if (!isInside(root, file)) return [];
		return [{ path, file, ...readJson(file) }];
	});
}

type Found = { readonly path: string; readonly problem?: string };

function walk(root: string, below: string): Found[] {
	let entries: Dirent[];
	try {
		entries = readdirSync(join(root, below), { withFileTypes: true });
	} catch (error) {
		return [{ path: below, problem: errorCode(error) }];
	}
	return entries.flatMap((entry): Found[] => {
		const path = below === "" ? entry.name : `${below}/${entry.name}`;
		if (entry.isDirectory()) return walk(root, path);
		return entry.name.endsWith(".json") && (entry.isFile() || entry.isSymbolicLink()) ? [{ path }] : [];
	});
}

function isInside(root: string, file: string): boolean {
	try {
		return realpathSync(file).startsWith(root.endsWith(sep) ? root : root + sep) && statSync(file).isFile();
	} catch {
		return false;
	}
}

/** The file's JSON, or in a few words why there is none; never the operating system's text with its paths. */
function readJson(file: string): { value: JsonValue } | { problem: string } {
	try {
		if (statSync(file).size > MAX_FILE_BYTES) return { problem: `larger than ${MAX_FILE_BYTES} bytes` };
		const bytes = readFileSync(file);
		if (!isUtf8(bytes)) return { problem: "not UTF-8" };
		return { value: parseJson(bytes.toString()) };
	} catch (error) {
		if (error instanceof SyntaxError) return { problem: "not valid JSON" };
		return { problem: errorCode(error) };
	}
}

function errorCode(error: unknown): string {
	const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
	const words: Readonly<Record<string, string>> = {
		ENOENT: "no such file",
		EACCES: "permission denied",
		EISDIR: "is a folder",
	};
	return words[code] ?? code;
}
