import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { errorCode } from "libmcp/command";
import type { JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { describeSyntaxError } from "../json/syntaxError.ts";

/** Why no asset could be read from a file; the command then exits with 2. */
export type FileProblem = { readonly ok: false; readonly reason: "io_error" | "parse_error"; readonly detail: string };
export type AssetFile = { readonly text: string; readonly value: JsonValue };

export function readAsset(path: string): AssetFile | FileProblem {
	let bytes: Buffer;
	try {
		bytes = readFileSync(path === "-" ? 0 : path);
	} catch (error) {
		return { ok: false, reason: "io_error", detail: codeOf(error) };
	}
	if (!isUtf8(bytes)) return { ok: false, reason: "parse_error", detail: "not UTF-8" };
	const text = bytes.toString();
	try {
		return { text, value: parseJson(text) };
	} catch {
		return { ok: false, reason: "parse_error", detail: describeSyntaxError(text) };
	}
}

function codeOf(error: unknown): string {
	const code = errorCode(error) ?? "";
	const words: Readonly<Record<string, string>> = {
		ENOENT: "file_not_found",
		EISDIR: "is_a_directory",
		EACCES: "permission_denied",
	};
	return words[code] ?? `read_failed${code === "" ? "" : `: ${code}`}`;
}
