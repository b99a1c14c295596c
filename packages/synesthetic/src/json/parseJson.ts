import { compareNumbers } from "./decimal.ts";
import { exactNumber, type JsonValue } from "./jsonValue.ts";
import { mayHaveEscapedName, parseWithStandIns } from "./standIns.ts";

// Up to fifteen significant digits and a one-digit exponent always survive a double; longer numbers need a closer look.
const MAY_LOSE_DIGITS = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]{2}/;

/** `JSON.parse` that never changes a number or a name: a number that a double would alter becomes an `ExactNumber`. */
export function parseJson(text: string): JsonValue {
	return needsCare(text) ? parseWithStandIns(text, losesDigits) : JSON.parse(text);
}

/** Like `parseJson`, but also keeps the spelling of numbers that `JSON.stringify` would write differently. */
export function parseSpelt(text: string): JsonValue {
	return parseWithStandIns(text, (number) => String(Number(number)) !== number);
}

/** Whether `parseSpelt` may keep more of the text than `parseJson` does. */
export function mayBeSpeltAnew(text: string): boolean {
	return SPELT_ANEW.test(text);
}

// Fractions that end in a zero or begin with six zeros, exponents, negative zeros, more digits than a double holds.
const SPELT_ANEW = /[0-9]\.[0-9]*0(?![0-9])|0\.0{6}|[0-9][eE]|-0(?!\.)|[0-9][0-9.]{15}/;

/** Whether plain `JSON.parse` might change a number or a name. */
function needsCare(text: string): boolean {
	return MAY_LOSE_DIGITS.test(text) || mayHaveEscapedName(text);
}

function losesDigits(number: string): boolean {
	const value = Number(number);
	if (String(value) === number) return false;
	return !Number.isFinite(value) || compareNumbers(value, exactNumber(number)) !== 0;
}
