import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Assets } from "../assets.ts";
import { schemaNameOf } from "../catalog/catalog.ts";
import { readFolder } from "../catalog/readFolder.ts";
import { locate } from "../json/locate.ts";
import type { AssetError } from "../results.ts";
import { EXIT } from "./exitCodes.ts";
import { type FileProblem, readAsset } from "./readAsset.ts";

export type LocatedError = AssetError & { readonly line?: number; readonly column?: number };
export type FileVerdict =
	| FileProblem
	| {
			readonly ok: boolean;
			readonly schema: string;
			readonly reason?: string;
			readonly errors?: readonly LocatedError[];
	  };

/** The files meant by the paths: a folder stands for every JSON file under it, or for itself if there is none. */
export function expandPaths(paths: readonly string[]): string[] {
	return paths.flatMap((path) => {
		if (path === "-" || !existsSync(path) || !statSync(path).isDirectory()) return [path];
		const files = readFolder(path).map((file) => join(path, file.path));
		return files.length === 0 ? [path] : files;
	});
}

/** Validates one file against the schema named, or the one the asset or its file name points to. */
export function validateFile(path: string, schema: string | undefined, assets: Assets): FileVerdict {
	const file = readAsset(path);
	// A folder that is still in the list contains no JSON files; that is an error.
	if ("ok" in file) return file.detail === "is_a_directory" ? { ...file, detail: "no_json_files" } : file;
	const isKnown = (name: string): boolean => assets.findSchema(name) !== undefined;
	const name = schema ?? schemaNameOf(file.value, basename(path), isKnown);
	const verdict = assets.validateAsset(file.value, name, { detailed: true });
	if (verdict.ok || verdict.reason !== "validation_failed") return { ok: verdict.ok, schema: name };
	const errors = verdict.errors.map((error) => ({ ...error, ...locate(file.text, error.path) }));
	return { ok: false, schema: name, reason: verdict.reason, errors };
}

export function exitCodeOf(verdicts: readonly FileVerdict[]): number {
	if (verdicts.some((verdict) => verdict.reason === "io_error" || verdict.reason === "parse_error"))
		return EXIT.unreadable;
	return verdicts.every(({ ok }) => ok) ? EXIT.valid : EXIT.invalid;
}
