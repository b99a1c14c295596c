import { compareNumbers, toDecimal, writeDecimal } from "./decimal.ts";
import {
	compareByCodePoint,
	type ExactNumber,
	isExactNumber,
	isJsonArray,
	isJsonObject,
	type JsonValue,
} from "./jsonValue.ts";

/** Compact JSON, or indented for a reader. Values nested too deeply for `JSON.stringify` are written iteratively. */
export function stringifyJson(value: unknown, indent = 0): string {
	try {
		return JSON.stringify(value, null, indent);
	} catch (error) {
		if (error instanceof RangeError) return writeIteratively(value as JsonValue, PLAIN);
		throw error;
	}
}

/** Canonical JSON: equal values give the same text, whatever their key order or the spelling of their numbers. */
export function writeCanonicalJson(value: JsonValue): string {
	return writeIteratively(value, CANONICAL);
}

type Style = { readonly keys: (object: object) => string[]; readonly scalar: (value: JsonValue) => string };
const PLAIN: Style = { keys: Object.keys, scalar: (value) => JSON.stringify(value) };
const CANONICAL: Style = {
	keys: (object) => Object.keys(object).sort(compareByCodePoint),
	scalar: (value) => (isExactNumber(value) ? exactText(value) : JSON.stringify(value)),
};

// A number that a double holds was kept only for its spelling, so it is written like any other.
function exactText(value: ExactNumber): string {
	const plain = Number(value.rawJSON);
	const isHeld = Number.isFinite(plain) && compareNumbers(plain, value) === 0;
	return isHeld ? JSON.stringify(plain) : writeDecimal(toDecimal(value));
}

type Step = { readonly text: string } | { readonly value: JsonValue };

function writeIteratively(root: JsonValue, style: Style): string {
	const parts: string[] = [];
	const pending: Step[] = [{ value: root }];
	for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
		if ("text" in step) parts.push(step.text);
		else if (isJsonArray(step.value)) pushReversed(pending, arraySteps(step.value));
		else if (isJsonObject(step.value)) pushReversed(pending, objectSteps(step.value, style));
		else parts.push(style.scalar(step.value));
	}
	return parts.join("");
}

function arraySteps(array: readonly JsonValue[]): Step[] {
	const inner = array.flatMap((value, i): Step[] => (i === 0 ? [{ value }] : [{ text: "," }, { value }]));
	return [{ text: "[" }, ...inner, { text: "]" }];
}

function objectSteps(object: { readonly [key: string]: JsonValue | undefined }, style: Style): Step[] {
	const steps: Step[] = [{ text: "{" }];
	for (const key of style.keys(object)) {
		const value = object[key];
		if (value === undefined) continue;
		steps.push({ text: `${steps.length > 1 ? "," : ""}${JSON.stringify(key)}:` }, { value });
	}
	steps.push({ text: "}" });
	return steps;
}

function pushReversed(pending: Step[], steps: readonly Step[]): void {
	for (let i = steps.length - 1; i >= 0; i -= 1) {
		const step = steps[i];
		if (step !== undefined) pending.push(step);
	}
}

const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g;

/** Removes white space between the tokens of valid JSON text. Everything else keeps its spelling. */
export function compactJson(text: string): string {
	return text.replace(STRING_OR_SPACE, "$1");
}
