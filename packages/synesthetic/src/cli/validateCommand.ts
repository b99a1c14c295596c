import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Assets } from "../assets.ts";
import { schemaNameOf } from "../catalog/catalog.ts";
import { byCodePoint } from "../json/order.ts";
import { savedAnswer } from "../savedAnswer.ts";
import type { Settings } from "../settings.ts";
import { list } from "../validate/describe.ts";
import { nothingFound } from "./nothingFound.ts";
import { skippedLines } from "./skippedLines.ts";
import { printable, type Terminal } from "./terminal.ts";
import { exitCodeOf, expandPaths, type FileVerdict, validateFile } from "./validateFiles.ts";
import { summaryLine, verdictLines } from "./verdictLines.ts";
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
export async function validateCommand(
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
	else terminal.err(`synesthetic: --watch: expected a path that exists, got ${printable(paths.join(" "))}`);
	return code;
}

function validateAll({ paths, schema, json }: ValidateOptions, settings: Settings, terminal: Terminal): number {
	const assets = new Assets(settings);
	const files = expandPaths(paths);
	const single = files.length === 1 && files[0]?.path === paths[0];
	const verdicts: FileVerdict[] = [];
	for (const [i, file] of files.entries()) {
		const { path } = file;
		terminal.progress(`${i + 1}/${files.length} ${printable(path)}`);
		const { verdict, saved } = validateFile(file, schema, assets);
		verdicts.push(verdict);
		terminal.progress("");
		if (terminal.readable && !json) for (const line of verdictLines(path, verdict, terminal.paint)) terminal.out(line);
		else terminal.out(JSON.stringify(single && "schema" in verdict ? verdict : { path, ...verdict }));
		if (saved !== undefined) terminal.err(`synesthetic: ${printable(path)} ${savedAnswer(saved)}`);
	}
	if (terminal.readable && !json && !single) terminal.out(summaryLine(verdicts));
	for (const line of skippedLines(assets.catalog, ["schemas"])) terminal.err(line);
	const unknown = verdicts
		.flatMap((verdict, i) => ("schema" in verdict ? [{ name: verdict.schema, path: files[i]?.path ?? "" }] : []))
		.find(({ name }) => assets.findSchema(name) === undefined);
	if (unknown !== undefined) {
		const origin = schema === undefined ? originOf(unknown.name, unknown.path) : "";
		terminal.err(schemaHint(unknown.name, origin, assets, settings));
	}
	return exitCodeOf(verdicts);
}

function originOf(schema: string, path: string): string {
	const isOfFileName = schemaNameOf(null, basename(path), () => false) === schema;
	return isOfFileName ? ", the name of the file itself" : ', which the file gives in "schema" or "$schemaRef"';
}

function schemaHint(unknown: string, origin: string, { catalog }: Assets, settings: Settings): string {
	const known = [...catalog.rules.keys()].sort(byCodePoint);
	if (known.length === 0) return nothingFound("schemas", settings);
	return `synesthetic: no schema is named ${printable(JSON.stringify(unknown))}${origin}; with --schema <name> choose from ${printable(list(known))}`;
}
