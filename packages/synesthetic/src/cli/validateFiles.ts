import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode } from "libmcp/command";
import { type Assets, tellInDetail } from "../assets.ts";
import { findSchemaName } from "../catalog/catalog.ts";
import { listFolder } from "../catalog/folders.ts";
import type { JsonValue } from "../json/jsonValue.ts";
import { parseJson } from "../json/parseJson.ts";
import { locateValue, type Position } from "../json/pointer.ts";
import { describeSyntaxError } from "../json/syntaxError.ts";
import { type AssetError, type DocumentMember, findDocumentMember } from "../results.ts";
import type { Violation } from "../validate/evaluation.ts";
import { listLeaves } from "../validate/keywords/noneOf.ts";
import { EXIT, escapeText, type Terminal } from "./terminal.ts";

type LocatedError = AssetError & { readonly line?: number; readonly column?: number };
export type FileVerdict =
	| FileProblem
	| {
			readonly ok: boolean;
			readonly schema: string;
			readonly reason?: string;
			readonly errors?: readonly LocatedError[];
	  };

/** A file to validate; `problem` says why it cannot be read. */
type MeantFile = { readonly path: string; readonly problem?: string };

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
type CheckedFile = { readonly verdict: FileVerdict; readonly saved?: DocumentMember | undefined };

/** Validates one file against the schema named, or the one the asset or its file name points to. */
export function validateFile({ path, problem }: MeantFile, schema: string | undefined, assets: Assets): CheckedFile {
	if (problem !== undefined)
		return { verdict: { ok: false, reason: "io_error", detail: problem.replaceAll(" ", "_") } };
	const file = readAsset(path);
	// A folder that is still in the list contains no JSON files; that is an error.
	if ("ok" in file) return { verdict: file.detail === "is_a_directory" ? { ...file, detail: "no_json_files" } : file };
	const isKnown = (name: string): boolean => assets.findSchema(name) !== undefined;
	const name = schema ?? findSchemaName(file.value, basename(path), isKnown);
	const tell = (violation: Violation): LocatedError => ({
		...tellInDetail(violation),
		...placeOf(violation, file.text),
	});
	const { ok, ...rest } = assets.validateAsset(file.value, name, { tell });
	return { verdict: { ok, schema: name, ...rest }, saved: findDocumentMember(file.value) };
}

// If no alternative matches, the position is the one the message names, not that of the whole value.
function placeOf(violation: Violation, text: string): Position | undefined {
	const [{ path } = violation] = listLeaves([violation]);
	return locateValue(text, path);
}

export function chooseExitCode(verdicts: readonly FileVerdict[]): number {
	if (verdicts.some((verdict) => verdict.reason === "io_error" || verdict.reason === "parse_error"))
		return EXIT.unreadable;
	return verdicts.every(({ ok }) => ok) ? EXIT.valid : EXIT.invalid;
}

/** A verdict as text for a person: the file, and below it the places where it fails. */
export function listVerdictLines(path: string, verdict: FileVerdict, paint: Terminal["paint"]): string[] {
	const file = escapeText(path);
	if (verdict.ok) return [`${paint("green", "valid  ")}  ${file}  ${paint("dim", escapeText(verdict.schema))}`];
	if (!("schema" in verdict)) return [`${paint("red", "unread ")}  ${file}  ${verdict.detail.replaceAll("_", " ")}`];
	const rows = (verdict.errors ?? []).map(({ path: place, msg, line, column }) => ({
		at: line === undefined ? "" : `${line}:${column}`,
		place: place === "" ? "(root)" : escapeText(place),
		msg: escapeText(msg),
	}));
	const [atWidth, placeWidth] = [widest(rows.map(({ at }) => at)), widest(rows.map(({ place }) => place))];
	return [
		`${paint("red", "invalid")}  ${file}  ${paint("dim", escapeText(verdict.schema))}`,
		...rows.map(
			({ at, place, msg }) =>
				`         ${paint("dim", at.padStart(atWidth))}  ${paint("yellow", place.padEnd(placeWidth))}  ${msg}`,
		),
	];
}

export function writeSummaryLine(verdicts: readonly FileVerdict[]): string {
	const valid = verdicts.filter(({ ok }) => ok).length;
	const unread = verdicts.filter((verdict) => !("schema" in verdict)).length;
	const counts = [
		[valid, "valid"],
		[verdicts.length - valid - unread, "invalid"],
		[unread, "unread"],
	] as const;
	return counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
}

function widest(texts: readonly string[]): number {
	return Math.max(0, ...texts.map((text) => text.length));
}

/** Why no asset could be read from a file; the command then exits with 2. */
type FileProblem = { readonly ok: false; readonly reason: "io_error" | "parse_error"; readonly detail: string };
type AssetFile = { readonly text: string; readonly value: JsonValue };

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
