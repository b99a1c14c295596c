import { suggestion } from "../command/nearest.ts";
import { resolvePointer } from "../replay/jsonPointer.ts";
import type { ContractDeclarations } from "./contractFile.ts";

/**
 * What a contract says of tools that the server does not list, a sentence each. No failure: a server may list a tool
 * later. But a misspelt name keeps none of the promises made under it.
 */
export function unknownTools({ tools }: ContractDeclarations, listed: readonly unknown[], source: string): string[] {
	const names = listed.map((tool) => resolvePointer(tool, "/name")).filter((name) => typeof name === "string");
	const known = new Set(names);
	return Object.entries(tools)
		.flatMap(([name, { probe }]) => [
			{ place: "tools", name },
			...(probe === undefined ? [] : [{ place: `tools.${name}.probe.tool`, name: probe.tool }]),
		])
		.filter(({ name }) => !known.has(name))
		.map(
			({ place, name }) =>
				`${source}: ${place}: the server lists no tool ${JSON.stringify(name)}${suggestion(name, names)}`,
		);
}
