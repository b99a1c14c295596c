import { isExactNumber } from "./exactJson.ts";

/** A JSON object of unknown members. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object: neither null nor an array, nor a number that is kept exact. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** The shortest honest description of a value's type, for error messages. */
export function kindOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "array";
	return isExactNumber(value) ? "number" : typeof value;
}

const MAX_SHOWN = 100;

/** A value as an error message quotes it: JSON, and not too much of it. */
export function shown(value: unknown): string {
	if (value === undefined) return "nothing";
	const text = JSON.stringify(value);
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Like `shown`, with the value's type in front unless it is obvious. */
export function shownWithKind(value: unknown): string {
	return value === null || value === undefined ? shown(value) : `${kindOf(value)} ${shown(value)}`;
}

/** Like `shown`, for a value that may hold a secret: only its type, unless there is nothing to hide. */
export function shownSecret(value: unknown): string {
	return value === undefined || value === null || value === "" ? shown(value) : kindOf(value);
}
