/**
 * A parsed JSON value. A number that a double cannot hold exactly is kept as its source text, so that what was
 * read is what is compared and written.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export type JsonObject = { readonly [key: string]: JsonValue };
/** What `JSON.rawJSON` makes; recognised by its internal slot, so data cannot counterfeit one. */
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

/** Checks the prototype first, which raw JSON lacks: that is the faster test. */
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

/** The member of that name, never one inherited from a prototype. */
export function member(value: unknown, key: string): JsonValue | undefined {
	return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * A reader of one member, for whoever reads it of many objects: asking an object for its own member takes two lookups,
 * and only names that every object inherits need the second.
 */
export function memberReader(key: string): (object: JsonObject) => JsonValue | undefined {
	if (key in Object.prototype) return (object) => (Object.hasOwn(object, key) ? object[key] : undefined);
	return (object) => object[key];
}
