/**
 * A parsed JSON value. A number that a double cannot hold exactly is kept as its source text, so that comparing and
 * writing it stay exact.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [key: string]: JsonValue };
/** A number made by `JSON.rawJSON`. It is recognised by an internal slot, so that parsed data cannot imitate one. */
export interface ExactNumber {
	readonly rawJSON: string;
}
/** The values of each kind. */
export type JsonOfKind = {
	readonly null: null;
	readonly boolean: boolean;
	readonly number: number | ExactNumber;
	readonly string: string;
	readonly array: JsonArray;
	readonly object: JsonObject;
};
export type JsonKind = keyof JsonOfKind;

type RawJson = { rawJSON(text: string): ExactNumber; isRawJSON(value: unknown): value is ExactNumber };
const { rawJSON, isRawJSON } = JSON as typeof JSON & RawJson;

export function exactNumber(text: string): ExactNumber {
	return rawJSON(text);
}

/** Tests the prototype first, which raw JSON does not have, because that test is faster. */
export function isExactNumber(value: unknown): value is ExactNumber {
	return !(value instanceof Object) && isRawJSON(value);
}

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

export function isJsonArray(value: unknown): value is JsonArray {
	return Array.isArray(value);
}

export function isJsonNumber(value: unknown): value is number | ExactNumber {
	return typeof value === "number" || isExactNumber(value);
}

export function kindOf(value: JsonValue): JsonKind {
	if (value === null) return "null";
	switch (typeof value) {
		case "boolean":
			return "boolean";
		case "number":
			return "number";
		case "string":
			return "string";
		default:
			return Array.isArray(value) ? "array" : isExactNumber(value) ? "number" : "object";
	}
}

/** The object's own member of that name; undefined if it is missing or inherited. */
export function member(value: unknown, key: string): JsonValue | undefined {
	return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Makes a fast reader of one member, for code that reads it from many objects. Checking that a member is the object's
 * own takes a second lookup, which only names on `Object.prototype` need.
 */
export function memberReader(key: string): (object: JsonObject) => JsonValue | undefined {
	if (key in Object.prototype) return (object) => (Object.hasOwn(object, key) ? object[key] : undefined);
	return (object) => object[key];
}
