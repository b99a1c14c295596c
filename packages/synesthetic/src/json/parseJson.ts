import { compareNumbers } from "./decimal.ts";
import {
	createExactNumber,
	type ExactNumber,
	isJsonArray,
	isJsonObject,
	type JsonObject,
	type JsonValue,
} from "./jsonValue.ts";

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
export function canBeSpeltAnew(text: string): boolean {
	return SPELT_ANEW.test(text);
}

// Fractions that end in a zero or begin with six zeros, exponents, negative zeros, more digits than a double holds.
const SPELT_ANEW = /[0-9]\.[0-9]*0(?![0-9])|0\.0{6}|[0-9][eE]|-0(?!\.)|[0-9][0-9.]{15}/;

/** Whether plain `JSON.parse` might change a number or a name. */
function needsCare(text: string): boolean {
	return MAY_LOSE_DIGITS.test(text) || canHaveEscapedName(text);
}

function losesDigits(number: string): boolean {
	const value = Number(number);
	if (String(value) === number) return false;
	return !Number.isFinite(value) || compareNumbers(value, createExactNumber(number)) !== 0;
}

/**
 * Whether some member's name may be written with an escape. V8 13.6 can mistake such a name for another: after parsing
 * `{"x":1,"\\":1}`, it reads `{"x":1,"\u0061":1}` as having a member named `\`. So the parser must never see one.
 */
export function canHaveEscapedName(text: string): boolean {
	let quote = -1;
	for (let at = text.indexOf("\\"); at !== -1; ) {
		const next = text.indexOf("\\", at + 2);
		if (quote < at + 2) quote = text.indexOf('"', at + 2);
		if (quote === -1) return false;
		// Only the last escape of a string matters: a colon after the closing quote shows that the string is a name.
		if ((next === -1 || quote < next) && isColonAt(text, quote + 1)) return true;
		at = next;
	}
	return false;
}

/**
 * Parses the text with placeholder strings for every name written with an escape and every number to be kept as text, then
 * puts the originals back. A reviver could do this too, but fails on values nested thousands deep.
 */
function parseWithStandIns(text: string, isKept: (number: string) => boolean): JsonValue {
	const prefix = `stand-in-${crypto.randomUUID()}-`;
	const escaped = escapedNames(text);
	const numbers = new Map<JsonValue, ExactNumber>();
	const names = new Map<string, string>();
	const plain = text.replace(TOKEN, (whole, token: string, colon: string | undefined) => {
		const standIn = `${prefix}${numbers.size + names.size}`;
		if (colon === undefined) {
			if (!NUMBER.test(token) || !isKept(token)) return whole;
			numbers.set(standIn, createExactNumber(token));
			return `"${standIn}"`;
		}
		if (escaped.size === 0 || !token.startsWith('"')) return whole;
		const name: string = JSON.parse(token);
		if (!escaped.has(name)) return whole;
		names.set(standIn, name);
		return `"${standIn}"${colon}`;
	});
	if (plain === text) return JSON.parse(text);
	const pending: (JsonValue[] | Record<string, JsonValue>)[] = [];
	const restore = (value: JsonValue): JsonValue => {
		if (!isJsonArray(value) && !isJsonObject(value)) return numbers.get(value) ?? value;
		const container = isJsonArray(value) ? [...value] : named(value, names);
		pending.push(container);
		return container;
	};
	const root = restore(JSON.parse(plain));
	for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
		if (Array.isArray(container)) for (const [i, item] of container.entries()) container[i] = restore(item);
		else for (const [name, item] of Object.entries(container)) container[name] = restore(item);
	}
	return root;
}

// Matches each string and number as a whole, and an unfinished string to the end of the text, to stay linear in time.
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|-?[0-9][0-9.eE+-]*)([ \t\r\n]*:)?/g;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * The names that are written with an escape anywhere. Their other occurrences need stand-ins too, so that of repeated
 * members the last one still counts.
 */
function escapedNames(text: string): ReadonlySet<string> {
	const names = new Set<string>();
	if (!canHaveEscapedName(text)) return names;
	for (const [, token = "", colon] of text.matchAll(TOKEN))
		if (colon !== undefined && token.includes("\\")) names.add(JSON.parse(token));
	return names;
}

function named(object: JsonObject, names: ReadonlyMap<string, string>): Record<string, JsonValue> {
	return Object.fromEntries(Object.entries(object).map(([name, item]) => [names.get(name) ?? name, item]));
}

function isColonAt(text: string, from: number): boolean {
	let at = from;
	while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
	return text.charAt(at) === ":";
}
