import { plainText } from "../../render/plainText.ts";
import { EFFECT_META_KEY, isEffectUnreadable } from "../../replay/effect.ts";
import { resolvePointer } from "../../replay/jsonPointer.ts";
import type { ContractDeclarations } from "../settings/contractFile.ts";

const MOST_NAMED = 5;
const MOST_NAME_CHARS = 64;

/** A warning, one sentence, about tools that declare an effect which cannot be read; the user's contracts come first. */
export function unreadableEffects({ tools }: ContractDeclarations, listed: readonly unknown[]): string[] {
	const names = listed
		.filter(isEffectUnreadable)
		.map((tool) => resolvePointer(tool, "/name"))
		.filter((name) => typeof name === "string")
		.filter((name) => !Object.hasOwn(tools, name));
	if (names.length === 0) return [];
	const named = names.slice(0, MOST_NAMED).map((name) => plainText(JSON.stringify(name.slice(0, MOST_NAME_CHARS))));
	const more = names.length > named.length ? ` and ${names.length - named.length} more` : "";
	return [
		`_meta["${EFFECT_META_KEY}"] of ${named.join(", ")}${more} cannot be read, so calls in doubt are not run again`,
	];
}
