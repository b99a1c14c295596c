import { suggestion } from "libmcp/command";
import type { Assets } from "../assets.ts";
import { byCodePoint } from "../json/order.ts";
import type { Settings } from "../settings.ts";
import { list } from "../validate/describe.ts";
import { nothingFound } from "./nothingFound.ts";
import { printable } from "./terminal.ts";

/** What to type instead of a name that no schema has, or undefined if one has it; `printed` asks for those `get_schema` knows. */
export function unknownSchema(name: string, assets: Assets, settings: Settings, printed = false): string | undefined {
	const { schemas, rules } = assets.catalog;
	if (printed ? schemas.has(name) : assets.findSchema(name) !== undefined) return undefined;
	const known = [...(printed ? schemas : rules).keys()].sort(byCodePoint);
	if (known.length === 0) return nothingFound("schemas", settings);
	return instead(`no schema is named ${JSON.stringify(name)}`, name, known);
}

/** What to type instead of a path that no example has, or undefined if one has it. */
export function unknownExample(path: string, assets: Assets, settings: Settings): string | undefined {
	if (assets.findExample(path) !== undefined) return undefined;
	const known = assets.catalog.examples.map(({ inner }) => inner);
	if (known.length === 0) return nothingFound("examples", settings);
	return instead(`no example has the path ${JSON.stringify(path)}`, path, known);
}

function instead(problem: string, given: string, known: readonly string[]): string {
	return `synesthetic: ${printable(problem + suggestion(given, known, `choose from ${list(known)}`))}`;
}
