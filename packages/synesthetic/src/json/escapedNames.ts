import { isJsonObject, type JsonValue } from "./jsonValue.ts";

/**
 * Whether some member's name is written with an escape, or may be. V8 13.6 takes such a name for another: once
 * `{"x":1,"\\":1}` was parsed, `{"x":1,"\u0061":1}` has a member named `\`. So the parser is never shown one.
 */
export function mayHaveEscapedName(text: string): boolean {
	let quote = -1;
	for (let at = text.indexOf("\\"); at !== -1; ) {
		const next = text.indexOf("\\", at + 2);
		if (quote < at + 2) quote = text.indexOf('"', at + 2);
		if (quote === -1) return false;
		// Only the last escape of a string is looked at: what follows the quote behind it tells a name.
		if ((next === -1 || quote < next) && isColonAt(text, quote + 1)) return true;
		at = next;
	}
	return false;
}

/** The text with a plain name for every escaped one, and the way back for each object that was parsed from it. */
export function withPlainNames(text: string): { plain: string; restore: (value: JsonValue) => JsonValue } {
	const names = new Map<string, string>();
	const prefix = `escaped-${crypto.randomUUID()}-`;
	const plain = text.replace(STRING, (string, name: string, colon: string | undefined) => {
		if (colon === undefined || !name.includes("\\")) return string;
		const stand = `${prefix}${names.size}`;
		names.set(stand, JSON.parse(name));
		return `"${stand}"${colon}`;
	});
	const restore = (value: JsonValue): JsonValue => {
		if (!isJsonObject(value) || !Object.keys(value).some((name) => names.has(name))) return value;
		return Object.fromEntries(Object.entries(value).map(([name, item]) => [names.get(name) ?? name, item]));
	};
	return { plain, restore };
}

// Every string is taken whole, an unfinished one to the end of the text, so that none is looked at twice.
const STRING = /("[^"\\]*(?:\\.[^"\\]*)*(?:"|$))([ \t\r\n]*:)?/g;

function isColonAt(text: string, from: number): boolean {
	let at = from;
	while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
	return text.charAt(at) === ":";
}
