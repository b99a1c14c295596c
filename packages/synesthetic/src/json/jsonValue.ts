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

export function createExactNumber(text: string): ExactNumber {
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

export function findKind(value: JsonValue): JsonKind {
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
export function readMember(value: unknown, key: string): JsonValue | undefined {
	return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Makes a fast reader of one member, for code that reads it from many objects. Checking that a member is the object's
 * own takes a second lookup, which only names on `Object.prototype` need.
 */
export function createMemberReader(key: string): (object: JsonObject) => JsonValue | undefined {
	if (key in Object.prototype) return (object) => (Object.hasOwn(object, key) ? object[key] : undefined);
	return (object) => object[key];
}

/** How many levels of containers a value has; 0 for a scalar. */
export function measureDepth(value: JsonValue): number {
	let depth = 0;
	for (let level = containersOf([value]); level.length > 0; level = level.flatMap(containersOf)) depth += 1;
	return depth;
}

function containersOf(parent: JsonArray | JsonObject): (JsonArray | JsonObject)[] {
	return Object.values(parent).filter((value) => isJsonArray(value) || isJsonObject(value));
}

/** Like `depthOf`, for JSON text. */
export function measureTextDepth(json: string): number {
	let depth = 0;
	let deepest = 0;
	for (let at = 0; at < json.length; at += 1) {
		switch (json.charCodeAt(at)) {
			case QUOTE:
				at = endOfString(json, at);
				break;
			case OPEN_BRACE:
			case OPEN_BRACKET:
				depth += 1;
				if (depth > deepest) deepest = depth;
				break;
			case CLOSE_BRACE:
			case CLOSE_BRACKET:
				depth -= 1;
		}
	}
	return deepest;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];

function endOfString(json: string, quote: number): number {
	for (let at = quote + 1; at < json.length; at += 1) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) return at;
		if (code === BACKSLASH) at += 1;
	}
	return json.length;
}

/** Orders by Unicode code point; JavaScript's `<` orders by UTF-16 unit and puts U+FFFF after emoji. */
export function compareByCodePoint(left: string, right: string): number {
	const length = Math.min(left.length, right.length);
	for (let i = 0; i < length; i += 1) {
		const a = left.charCodeAt(i);
		const b = right.charCodeAt(i);
		if (a !== b) return a >= SURROGATES && b >= SURROGATES ? compareAt(left, right, i) : a - b;
	}
	return left.length - right.length;
}

const SURROGATES = 0xd800;

// Second halves of surrogate pairs are compared with their first halves. A lone half counts as a code point.
function compareAt(left: string, right: string, index: number): number {
	const isSecondHalf = (text: string) => (text.codePointAt(index - 1) ?? 0) > 0xffff;
	const at = index > 0 && (isSecondHalf(left) || isSecondHalf(right)) ? index - 1 : index;
	return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
}
