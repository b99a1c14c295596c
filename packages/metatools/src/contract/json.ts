import { isExactNumber } from "./exactJson.ts";

/** A JSON object of unknown members. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object: neither null nor an array, nor a number that is kept exact. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** The shortest honest description of a value's type, for error messages. */
export function readKind(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "array";
	return isExactNumber(value) ? "number" : typeof value;
}

const MAX_SHOWN = 100;

/** A value as an error message quotes it: JSON, and not too much of it. */
export function showValue(value: unknown): string {
	if (value === undefined) return "nothing";
	const text = JSON.stringify(value);
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Like `shown`, with the value's type in front unless it is obvious. */
export function showWithKind(value: unknown): string {
	return value === null || value === undefined ? showValue(value) : `${readKind(value)} ${showValue(value)}`;
}

/** Like `shown`, for a value that may hold a secret: only its type, unless there is nothing to hide. */
export function showSecret(value: unknown): string {
	return value === undefined || value === null || value === "" ? showValue(value) : readKind(value);
}

/** Whether JSON text nests deeper than `maxDepth`; recursive readers would overflow the stack. */
export function isDeeper(text: string, maxDepth: number): boolean {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < text.length; at += 1) {
		const unit = text.charCodeAt(at);
		if (inString) {
			if (unit === BACKSLASH) at += 1;
			else if (unit === QUOTE) inString = false;
		} else if (unit === QUOTE) inString = true;
		else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
			depth += 1;
			if (depth > maxDepth) return true;
		} else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1;
	}
	return false;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const MOST_LEVELS = 200;
const TOO_DEEP = `[nested more than ${MOST_LEVELS} levels deep]`;

/** A JSON value with every text in it changed, names of members too. */
export function mapTexts(value: unknown, change: (text: string) => string, level: number = 0): unknown {
	if (typeof value === "string") return change(value);
	if (!Array.isArray(value) && !isObject(value)) return value;
	// What is nested without end would overflow the stack.
	if (level === MOST_LEVELS) return TOO_DEEP;
	if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change, level + 1));
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change, level + 1)]),
	);
}

/** Estimates how many characters a JSON value takes, without serialising it. Not recursive, as values may nest deeply. */
export function countChars(value: unknown): number {
	const open: unknown[] = [value];
	let chars = 0;
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === "string") chars += next.length;
		else if (Array.isArray(next)) for (const item of next) open.push(item);
		else if (typeof next === "object" && next !== null)
			for (const [name, inner] of Object.entries(next)) {
				chars += name.length;
				open.push(inner);
			}
		chars += PER_VALUE;
	}
	return chars;
}

/** Per value, for brackets, commas and numbers. */
const PER_VALUE = 4;

/**
 * The fields that a caller must give. A field with a default may be left out even if it is listed as required: widely
 * used generators list it, because they describe the parsed value, and their servers accept both.
 */
export function listNeededNames({ required, properties }: JsonObject): readonly string[] {
	const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
	return isObject(properties) ? names.filter((name) => !hasDefault(properties, name)) : names;
}

function hasDefault(properties: JsonObject, name: string): boolean {
	const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return isObject(property) && Object.hasOwn(property, "default");
}
