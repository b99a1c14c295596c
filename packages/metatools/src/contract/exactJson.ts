/**
 * Parses JSON and keeps numbers that JavaScript would change, such as ids beyond 2^53, as objects that `JSON.stringify`
 * writes as the same digits. A fraction is rounded to the nearest double, as in any JSON parser.
 */
export function parseExact(json: string): unknown {
	return MAY_CHANGE.test(json) ? JSON.parse(json, keepExact) : JSON.parse(json);
}

/** A number that JavaScript cannot hold, by its digits. */
type ExactNumber = { readonly rawJSON: string };

export function isExactNumber(value: unknown): value is ExactNumber {
	// Asks the engine only about the few objects that have such a member.
	return typeof value === "object" && value !== null && "rawJSON" in value && engine.isRawJSON(value);
}

/** The value as ordinary JavaScript values, with such numbers rounded. */
export function roundNumbers(value: unknown): unknown {
	return holdsExactNumber(value) ? JSON.parse(JSON.stringify(value)) : value;
}

/** JSON for a reader that would round such numbers: they become text. */
export function stringifyForRounding(value: unknown): string {
	const json = JSON.stringify(value);
	return MAY_CHANGE.test(json)
		? JSON.stringify(value, (_, inner: unknown) => (isExactNumber(inner) ? inner.rawJSON : inner))
		: json;
}

// A number with 16 digits before the point or 3 in its exponent; most texts have neither, and parsing this way is slow.
const MAY_CHANGE = /[:,[\s]-?(?:\d{16}|\d[\d.]*[eE][+-]?\d{3,}\s*[,\]}])/;

type Context = { readonly source?: string };
type Engine = {
	rawJSON(text: string): ExactNumber;
	isRawJSON(value: unknown): boolean;
};

// Every supported version of Node has these, but TypeScript does not know them yet.
const engine: Engine = JSON as typeof JSON & Engine;

function holdsExactNumber(value: unknown): boolean {
	if (typeof value !== "object" || value === null) return false;
	return isExactNumber(value) || Object.values(value).some(holdsExactNumber);
}

function keepExact(_: string, value: unknown, { source }: Context = {}): unknown {
	if (typeof value !== "number" || source === undefined) return value;
	const isChanged =
		!Number.isFinite(value) || (Number.isInteger(value) && decimalOf(source) !== decimalOf(String(value)));
	return isChanged ? engine.rawJSON(source) : value;
}

/** One spelling for all that denote the same number: its digits without zeros at either end, and its exponent. */
function decimalOf(number: string): string {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(number) ?? [];
	const digits = `${whole}${fraction}`.replace(/^0+/, "");
	const significant = digits.replace(/0+$/, "");
	if (significant === "") return "0";
	return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether a JSON text has integers beyond 2^53, such as the ids of some services, which parsing would round. */
export function hasLongInteger(json: string): boolean {
	if (!LONG_NUMBER.test(json)) return false;
	for (const [token] of json.matchAll(STRING_OR_NUMBER))
		if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return true;
	return false;
}

const LONG_NUMBER = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;
