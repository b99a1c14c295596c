import { suggestName } from "../../command/nearest.ts";
import { toPlainText } from "../../render/terminalText.ts";
import { EFFECT_META_KEY, isEffectUnreadable } from "../../replay/effect.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import type { ContractDeclarations } from "../settings/contractFile.ts";

/**
 * Warnings, one sentence each, about contracts for tools that the server does not list. They are no failure, since a
 * server may list a tool later, but a contract under a misspelt name has no effect.
 */
export function warnOfUnknownTools(
	{ tools }: ContractDeclarations,
	listed: readonly unknown[],
	source: string,
): string[] {
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
				`${source}: ${place}: the server lists no tool ${JSON.stringify(name)}${suggestName(name, names)}`,
		);
}

const MOST_NAMED = 5;
const MOST_NAME_CHARS = 64;

/** A warning, one sentence, about tools that declare an effect which cannot be read; the user's contracts come first. */
export function warnOfUnreadableEffects({ tools }: ContractDeclarations, listed: readonly unknown[]): string[] {
	const names = listed
		.filter(isEffectUnreadable)
		.map((tool) => resolvePointer(tool, "/name"))
		.filter((name) => typeof name === "string")
		.filter((name) => !Object.hasOwn(tools, name));
	if (names.length === 0) return [];
	const named = names.slice(0, MOST_NAMED).map((name) => toPlainText(JSON.stringify(name.slice(0, MOST_NAME_CHARS))));
	const more = names.length > named.length ? ` and ${names.length - named.length} more` : "";
	return [
		`_meta["${EFFECT_META_KEY}"] of ${named.join(", ")}${more} cannot be read, so calls in doubt are not run again`,
	];
}
