import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import type { JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { listFolder, problemOf } from "./listFolder.ts";

/** A JSON file of a folder, by its path inside it; `problem` instead of a value if unusable. */
export type JsonFile = { readonly path: string; readonly file: string } & (
	| { readonly value: JsonValue; readonly problem?: never }
	| { readonly problem: string; readonly value?: never }
);

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Reads every `.json` file under the folder, in code point order. */
export function readFolder(directory: string, maxFiles?: number): JsonFile[] {
	return listFolder(directory, maxFiles).map(
		({ path, file, problem }): JsonFile => ({ path, file, ...(problem === undefined ? readJson(file) : { problem }) }),
	);
}

function readJson(file: string): { value: JsonValue } | { problem: string } {
	try {
		if (statSync(file).size > MAX_FILE_BYTES) return { problem: `larger than ${MAX_FILE_BYTES} bytes` };
		const bytes = readFileSync(file);
		if (!isUtf8(bytes)) return { problem: "not UTF-8" };
		return { value: parseJson(bytes.toString()) };
	} catch (error) {
		return { problem: error instanceof SyntaxError ? "not valid JSON" : problemOf(error) };
	}
}
