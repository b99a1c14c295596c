import { durationMs } from "libmcp/command";
import { showValue } from "../contract/json.ts";

export type Kind =
	| { readonly type: "text" }
	| { readonly type: "boolean" }
	| { readonly type: "integer" | "number"; readonly min?: number; readonly max?: number }
	/** Written `500ms`, `30s`, `1h30m` or, in a file, as a number of milliseconds; read as milliseconds. */
	| { readonly type: "duration" }
	| { readonly type: "choice"; readonly choices: readonly string[] };

export type ValueOfKind<K> = K extends { readonly type: "choice"; readonly choices: readonly (infer C)[] }
	? C
	: K extends { readonly type: "text" }
		? string
		: K extends { readonly type: "boolean" }
			? boolean
			: number;

const MAX_DURATION = 2 ** 31 - 1;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
	["true", true],
	["1", true],
	["false", false],
	["0", false],
]);

/** Reads a value of this kind from text or JSON; throws naming the source, what was expected and what came. */
export function readValue(kind: Kind, value: unknown, source: string): string | number | boolean {
	const found = parse(kind, typeof value === "string" ? value.trim() : value);
	if (found === undefined)
		throw new Error(`${source}: expected ${describeExpected(kind, value)}, got ${showValue(value)}`);
	return found;
}

function parse(kind: Kind, value: unknown): string | number | boolean | undefined {
	switch (kind.type) {
		case "text":
			return typeof value === "string" ? value : undefined;
		case "choice":
			return typeof value === "string" && kind.choices.includes(value) ? value : undefined;
		case "boolean":
			return typeof value === "boolean" ? value : BOOLEANS.get(String(value).toLowerCase());
		case "duration":
			return durationOf(value);
		case "integer":
		case "number":
			return parseNumber(kind, value);
	}
}

function parseNumber(kind: Kind & { readonly type: "integer" | "number" }, value: unknown): number | undefined {
	const number = typeof value === "string" && value !== "" ? Number(value) : value;
	if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
	if (kind.type === "integer" && !Number.isSafeInteger(number)) return undefined;
	return number < (kind.min ?? -Infinity) || number > (kind.max ?? Infinity) ? undefined : number;
}

/** In milliseconds; undefined unless the value is a duration. */
function durationOf(value: unknown): number | undefined {
	const milliseconds = typeof value === "string" ? durationMs(value) : value;
	if (typeof milliseconds !== "number") return undefined;
	return milliseconds > 0 && milliseconds <= MAX_DURATION ? milliseconds : undefined;
}

/** What a value of this kind looks like; of a duration that lacks only its unit, no more than that. */
export function describeExpected(kind: Kind, got: unknown): string {
	switch (kind.type) {
		case "text":
			return "text";
		case "boolean":
			return "true or false";
		case "choice":
			return `one of ${kind.choices.join(", ")}`;
		case "duration":
			return typeof got === "string" && /^[\d.]+$/.test(got.trim()) && Number(got) > 0
				? `a unit, such as ${got.trim()}s`
				: "a duration such as 500ms, 30s or 10m";
		case "integer":
		case "number": {
			const noun = kind.type === "integer" ? "a whole number" : "a number";
			if (kind.min === undefined) return kind.max === undefined ? noun : `${noun} up to ${kind.max}`;
			return kind.max === undefined ? `${noun} from ${kind.min}` : `${noun} from ${kind.min} to ${kind.max}`;
		}
	}
}

export type Setting = {
	/** Its path in the configuration file. */
	readonly key: string;
	/** METATOOLS_ and the key; spelled out so that every name can be searched for. */
	readonly env: string;
	/** Shorter names that mean the same. */
	readonly envAliases?: readonly string[];
	readonly flag: string;
	readonly short?: string;
	readonly kind: Kind;
	readonly default: string | number | boolean;
	readonly says: string;
};
