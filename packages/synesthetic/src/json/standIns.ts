import {
	type ExactNumber,
	exactNumber,
	isJsonArray,
	isJsonObject,
	type JsonObject,
	type JsonValue,
} from "./jsonValue.ts";

/**
 * Whether some member's name may be written with an escape. V8 13.6 can mistake such a name for another: after parsing
 * `{"x":1,"\\":1}`, it reads `{"x":1,"\u0061":1}` as having a member named `\`. So the parser must never see one.
 */
export function mayHaveEscapedName(text: string): boolean {
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
export function parseWithStandIns(text: string, isKept: (number: string) => boolean): JsonValue {
	const prefix = `stand-in-${crypto.randomUUID()}-`;
	const escaped = escapedNames(text);
	const numbers = new Map<JsonValue, ExactNumber>();
	const names = new Map<string, string>();
	const plain = text.replace(TOKEN, (whole, token: string, colon: string | undefined) => {
		const standIn = `${prefix}${numbers.size + names.size}`;
		if (colon === undefined) {
			if (!NUMBER.test(token) || !isKept(token)) return whole;
			numbers.set(standIn, exactNumber(token));
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
	if (!mayHaveEscapedName(text)) return names;
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
