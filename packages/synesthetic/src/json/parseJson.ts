import { decimalOf, decimalText } from "./decimal.ts";
import { exactNumber, type JsonValue } from "./jsonValue.ts";

// Up to fifteen significant digits and a one-digit exponent always survive a double; anything longer is looked at.
const MAY_LOSE_DIGITS = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]{2}/;

type SourceReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
// The reviver's third argument, the number's own text, is newer than the library types.
const parse = JSON.parse as (text: string, reviver?: SourceReviver) => JsonValue;

/** `JSON.parse` that never changes a number: one that a double would alter stays an `ExactNumber`. */
export function parseJson(text: string): JsonValue {
	return mayLoseDigits(text) ? parse(text, keepExact) : parse(text);
}

/** False when no number in the text can lose anything to a double. */
export function mayLoseDigits(text: string): boolean {
	return MAY_LOSE_DIGITS.test(text);
}

const keepExact: SourceReviver = (_key, value, { source }) => {
	if (typeof value !== "number" || source === undefined) return value;
	return Number.isFinite(value) && sameNumber(value, source) ? value : exactNumber(source);
};

function sameNumber(value: number, source: string): boolean {
	return String(value) === source || decimalText(decimalOf(value)) === decimalText(decimalOf(exactNumber(source)));
}
