import { suggestion } from "../../command/nearest.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import type { ContractDeclarations } from "../settings/contractFile.ts";

/**
 * Warnings, one sentence each, about contracts for tools that the server does not list. They are no failure, since a
 * server may list a tool later, but a contract under a misspelt name has no effect.
 */
export function unknownTools({ tools }: ContractDeclarations, listed: readonly unknown[], source: string): string[] {
	const declared = Object.entries(tools);
	if (declared.length === 0) return [];
	const names = listed.map((tool) => resolvePointer(tool, "/name")).filter((name) => typeof name === "string");
	const known = new Set(names);
	return declared
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
