import { decimalOf, decimalText } from "./decimal.ts";
import { mayHaveEscapedName, withPlainNames } from "./escapedNames.ts";
import { exactNumber, type JsonValue } from "./jsonValue.ts";

// Up to fifteen significant digits and a one-digit exponent always survive a double; anything longer is looked at.
const MAY_LOSE_DIGITS = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]{2}/;

type SourceReviver = (this: unknown, key: string, value: JsonValue, context: { source?: string }) => JsonValue;
// The reviver's third argument, the number's own text, is newer than the library types.
const parse = JSON.parse as (text: string, reviver?: SourceReviver) => JsonValue;

/** `JSON.parse` that never changes a number or a name: one that a double would alter stays an `ExactNumber`. */
export function parseJson(text: string): JsonValue {
	if (mayHaveEscapedName(text)) return parseEscaped(text);
	return MAY_LOSE_DIGITS.test(text) ? parse(text, keepExact) : parse(text);
}

/** Whether `JSON.parse` itself may read something else than is written. */
export function needsCare(text: string): boolean {
	return MAY_LOSE_DIGITS.test(text) || mayHaveEscapedName(text);
}

function parseEscaped(text: string): JsonValue {
	const { plain, restore } = withPlainNames(text);
	return parse(plain, (_key, value, { source }) => (source === undefined ? restore(value) : exactly(value, source)));
}

const keepExact: SourceReviver = (_key, value, { source }) => (source === undefined ? value : exactly(value, source));

function exactly(value: JsonValue, source: string): JsonValue {
	if (typeof value !== "number") return value;
	return Number.isFinite(value) && sameNumber(value, source) ? value : exactNumber(source);
}

function sameNumber(value: number, source: string): boolean {
	return String(value) === source || decimalText(decimalOf(value)) === decimalText(decimalOf(exactNumber(source)));
}
