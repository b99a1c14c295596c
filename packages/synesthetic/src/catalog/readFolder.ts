import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import type { JsonValue } from "../json/jsonValue.ts";
import { mayBeSpeltAnew, parseJson, parseSpelt } from "../json/parseJson.ts";
import { syntaxProblem } from "../json/syntaxProblem.ts";
import { listFolder, problemOf } from "./listFolder.ts";

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
		return { problem: problemOf(error) };
	}
}

function parse(text: string): JsonContent | { problem: string } {
	try {
		const value = parseJson(text);
		return { value, spelt: mayBeSpeltAnew(text) ? parseSpelt(text) : value };
	} catch (error) {
		if (error instanceof SyntaxError) return { problem: syntaxProblem(text) };
		throw error;
	}
}
