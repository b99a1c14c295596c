import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Assets, inDetail } from "../assets.ts";
import { schemaNameOf } from "../catalog/catalog.ts";
import { listFolder } from "../catalog/listFolder.ts";
import { locate, type Position } from "../json/locate.ts";
import type { AssetError } from "../results.ts";
import { type DocumentMember, documentMember } from "../savedAnswer.ts";
import type { Violation } from "../validate/evaluation.ts";
import { leavesOf } from "../validate/leaves.ts";
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

/** A file to validate; `problem` says why it cannot be read. */
export type MeantFile = { readonly path: string; readonly problem?: string };

/**
 * Expands each folder to the JSON files under it. A folder without any stays in the list, to be reported as an error.
 */
export function expandPaths(paths: readonly string[]): MeantFile[] {
	return paths.flatMap((path): MeantFile[] => {
		if (path === "-" || !existsSync(path) || !statSync(path).isDirectory()) return [{ path }];
		const files = listFolder(path).map((listed) => ({ ...listed, path: join(path, listed.path) }));
		return files.length === 0 ? [{ path }] : files;
	});
}

/** What a file was found to be; `saved` if it looks like an answer of this command instead of an asset. */
export type CheckedFile = { readonly verdict: FileVerdict; readonly saved?: DocumentMember | undefined };

/** Validates one file against the schema named, or the one the asset or its file name points to. */
export function validateFile({ path, problem }: MeantFile, schema: string | undefined, assets: Assets): CheckedFile {
	if (problem !== undefined)
		return { verdict: { ok: false, reason: "io_error", detail: problem.replaceAll(" ", "_") } };
	const file = readAsset(path);
	// A folder that is still in the list contains no JSON files; that is an error.
	if ("ok" in file) return { verdict: file.detail === "is_a_directory" ? { ...file, detail: "no_json_files" } : file };
	const isKnown = (name: string): boolean => assets.findSchema(name) !== undefined;
	const name = schema ?? schemaNameOf(file.value, basename(path), isKnown);
	const tell = (violation: Violation): LocatedError => ({ ...inDetail(violation), ...placeOf(violation, file.text) });
	const { ok, ...rest } = assets.validateAsset(file.value, name, { tell });
	return { verdict: { ok, schema: name, ...rest }, saved: documentMember(file.value) };
}

// If no alternative matches, the position is the one the message names, not that of the whole value.
function placeOf(violation: Violation, text: string): Position | undefined {
	const [{ path } = violation] = leavesOf([violation]);
	return locate(text, path);
}

export function exitCodeOf(verdicts: readonly FileVerdict[]): number {
	if (verdicts.some((verdict) => verdict.reason === "io_error" || verdict.reason === "parse_error"))
		return EXIT.unreadable;
	return verdicts.every(({ ok }) => ok) ? EXIT.valid : EXIT.invalid;
}
