import { isInteger } from "../json/decimal.ts";
import { findKind, isExactNumber, type JsonValue } from "../json/jsonValue.ts";
import { stringifyJson } from "../json/stringifyJson.ts";

const LONGEST = 60;

/** A value for a message: scalars as JSON, containers by their kind, clipped. */
export function describeValue(value: JsonValue): string {
	if (isExactNumber(value)) return clip(value.rawJSON);
	const kind = findKind(value);
	return kind === "array" || kind === "object" ? addArticle(kind) : clip(JSON.stringify(value));
}

/** A schema's value for a message. Containers are written out too, because their kind would not tell them apart. */
export function spellValue(value: JsonValue): string {
	return clip(stringifyJson(value));
}

/** The value's type in words: "a string", "an integer". */
export function nameType(value: JsonValue): string {
	if (typeof value === "number" || isExactNumber(value)) return isInteger(value) ? "an integer" : "a number";
	return addArticle(findKind(value));
}

export function joinValues(names: readonly string[], most = 8): string {
	const shown = names.slice(0, most).map((name) => clip(JSON.stringify(name)));
	return names.length > most ? `${shown.join(", ")} and ${names.length - most} more` : shown.join(", ");
}

export function addArticle(kind: string): string {
	if (kind === "null") return "null";
	return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function clip(text: string): string {
	return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
