import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Assets } from "../assets.ts";
import { findSchemaName } from "../catalog/catalog.ts";
import { compareByCodePoint } from "../json/jsonValue.ts";
import { describeSavedAnswer } from "../results.ts";
import type { Settings } from "../settings.ts";
import { joinValues } from "../validate/describe.ts";
import { describeNothingFound, listSkipped } from "./nothingFound.ts";
import { escapeText, type Terminal } from "./terminal.ts";
import {
	chooseExitCode,
	expandPaths,
	type FileVerdict,
	listVerdictLines,
	validateFile,
	writeSummaryLine,
} from "./validateFiles.ts";
import { watchFiles } from "./watchFiles.ts";

export type ValidateOptions = {
	readonly paths: readonly string[];
	readonly schema?: string;
	readonly watch: boolean;
	/** Print JSON even on a terminal. */
	readonly json: boolean;
};

/**
 * Validates files. Prints one JSON result for one path; for several paths or a folder, or for a file that cannot be
 * read, one line per file, which begins with the file's path. On a terminal it prints text instead.
 */
export async function runValidateCommand(
	options: ValidateOptions,
	settings: Settings,
	terminal: Terminal,
): Promise<number> {
	let code = validateAll(options, settings, terminal);
	const again = (): void => {
		code = validateAll(options, settings, terminal);
	};
	if (!options.watch) return code;
	const { paths } = options;
	// A path that is misspelt would be waited for without a word.
	if (paths.some((path) => existsSync(path))) await watchFiles(paths, settings, terminal, again);
	else terminal.err(`synesthetic: --watch: expected a path that exists, got ${escapeText(paths.join(" "))}`);
	return code;
}

function validateAll({ paths, schema, json }: ValidateOptions, settings: Settings, terminal: Terminal): number {
	const assets = new Assets(settings);
	const files = expandPaths(paths);
	const single = files.length === 1 && files[0]?.path === paths[0];
	const verdicts: FileVerdict[] = [];
	for (const [i, file] of files.entries()) {
		const { path } = file;
		terminal.progress(`${i + 1}/${files.length} ${escapeText(path)}`);
		const { verdict, saved } = validateFile(file, schema, assets);
		verdicts.push(verdict);
		terminal.progress("");
		if (terminal.readable && !json)
			for (const line of listVerdictLines(path, verdict, terminal.paint)) terminal.out(line);
		else terminal.out(JSON.stringify(single && "schema" in verdict ? verdict : { path, ...verdict }));
		if (saved !== undefined) terminal.err(`synesthetic: ${escapeText(path)} ${describeSavedAnswer(saved)}`);
	}
	if (terminal.readable && !json && !single) terminal.out(writeSummaryLine(verdicts));
	for (const line of listSkipped(assets.catalog, ["schemas"])) terminal.err(line);
	const unknown = verdicts
		.flatMap((verdict, i) => ("schema" in verdict ? [{ name: verdict.schema, path: files[i]?.path ?? "" }] : []))
		.find(({ name }) => assets.findSchema(name) === undefined);
	if (unknown !== undefined) {
		const origin = schema === undefined ? originOf(unknown.name, unknown.path) : "";
		terminal.err(schemaHint(unknown.name, origin, assets, settings));
	}
	return chooseExitCode(verdicts);
}

function originOf(schema: string, path: string): string {
	const isOfFileName = findSchemaName(null, basename(path), () => false) === schema;
	return isOfFileName ? ", the name of the file itself" : ', which the file gives in "schema" or "$schemaRef"';
}

function schemaHint(unknown: string, origin: string, { catalog }: Assets, settings: Settings): string {
	const known = [...catalog.rules.keys()].sort(compareByCodePoint);
	if (known.length === 0) return describeNothingFound("schemas", settings);
	return `synesthetic: no schema is named ${escapeText(JSON.stringify(unknown))}${origin}; with --schema <name> choose from ${escapeText(joinValues(known))}`;
}
