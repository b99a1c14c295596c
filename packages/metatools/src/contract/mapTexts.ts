import { isObject } from "./json.ts";

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
