import { suggestion } from "libmcp/command";
import type { Assets } from "../assets.ts";
import type { Catalog, SkippedFile } from "../catalog/catalog.ts";
import { compareByCodePoint } from "../json/jsonValue.ts";
import type { Settings } from "../settings.ts";
import { joinValues } from "../validate/describe.ts";
import { escapeText } from "./terminal.ts";

/** What to type instead of a name that no schema has, or undefined if one has it; `printed` asks for those `get_schema` knows. */
export function describeUnknownSchema(
	name: string,
	assets: Assets,
	settings: Settings,
	printed = false,
): string | undefined {
	const { schemas, rules } = assets.catalog;
	if (printed ? schemas.has(name) : assets.findSchema(name) !== undefined) return undefined;
	const known = [...(printed ? schemas : rules).keys()].sort(compareByCodePoint);
	if (known.length === 0) return describeNothingFound("schemas", settings);
	return instead(`no schema is named ${JSON.stringify(name)}`, name, known);
}

/** What to type instead of a path that no example has, or undefined if one has it. */
export function describeUnknownExample(path: string, assets: Assets, settings: Settings): string | undefined {
	if (assets.findExample(path) !== undefined) return undefined;
	const known = assets.catalog.examples.map(({ inner }) => inner);
	if (known.length === 0) return describeNothingFound("examples", settings);
	return instead(`no example has the path ${JSON.stringify(path)}`, path, known);
}

function instead(problem: string, given: string, known: readonly string[]): string {
	return `synesthetic: ${escapeText(problem + suggestion(given, known, `choose from ${joinValues(known)}`))}`;
}

const FOLDERS = {
	schemas: ["SYN_SCHEMAS_DIR", "schemasDirectory"],
	examples: ["SYN_EXAMPLES_DIR", "examplesDirectory"],
} as const;

/** A message that says where files were looked for, or how to set them up. */
export function describeNothingFound(kind: keyof typeof FOLDERS, settings: Settings): string {
	const [variable, setting] = FOLDERS[kind];
	const folder = settings[setting];
	if (folder !== undefined)
		return `synesthetic: there are no ${kind} in ${escapeText(folder)}, the folder of ${variable}`;
	return `synesthetic: there are no ${kind}; set ${variable}, or start where libs/synesthetic-schemas is, or try --sample`;
}

/** One line for each file that a command would have used, but could not read. */
export function listSkipped({ skipped }: Catalog, kinds: readonly SkippedFile["kind"][]): string[] {
	return skipped
		.filter(({ kind }) => kinds.includes(kind))
		.map(({ path, reason }) => `synesthetic: skipped ${escapeText(path)}: ${reason}`);
}
