import { shown } from "../contract/json.ts";

export type Kind =
	| { readonly type: "text" }
	| { readonly type: "boolean" }
	| { readonly type: "integer" | "number"; readonly min?: number; readonly max?: number }
	/** Written `500ms`, `30s`, `10m`, `1h` or a number of milliseconds; read as milliseconds. */
	| { readonly type: "duration" }
	| { readonly type: "choice"; readonly choices: readonly string[] };

export type ValueOfKind<K> = K extends { readonly type: "choice"; readonly choices: readonly (infer C)[] }
	? C
	: K extends { readonly type: "text" }
		? string
		: K extends { readonly type: "boolean" }
			? boolean
			: number;

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const MAX_DURATION = 2 ** 31 - 1;

/** Reads a value of this kind from text or JSON; throws naming the source, what was expected and what came. */
export function readValue(kind: Kind, value: unknown, source: string): string | number | boolean {
	const found = parse(kind, typeof value === "string" ? value.trim() : value);
	if (found === undefined) throw new Error(`${source}: expected ${expectation(kind)}, got ${shown(value)}`);
	return found;
}

function parse(kind: Kind, value: unknown): string | number | boolean | undefined {
	switch (kind.type) {
		case "text":
			return typeof value === "string" ? value : undefined;
		case "choice":
			return typeof value === "string" && kind.choices.includes(value) ? value : undefined;
		case "boolean":
			return typeof value === "boolean"
				? value
				: { true: true, "1": true, false: false, "0": false }[String(value).toLowerCase()];
		case "duration":
			return duration(value);
		case "integer":
		case "number": {
			const number = typeof value === "string" && value !== "" ? Number(value) : value;
			if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
			if (kind.type === "integer" && !Number.isSafeInteger(number)) return undefined;
			return number < (kind.min ?? -Infinity) || number > (kind.max ?? Infinity) ? undefined : number;
		}
	}
}

function duration(value: unknown): number | undefined {
	const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(value));
	const unit = match?.[2];
	const factor = unit === "ms" || unit === "s" || unit === "m" || unit === "h" ? UNITS[unit] : 1;
	const milliseconds = match === null ? Number.NaN : Number(match[1]) * factor;
	return milliseconds > 0 && milliseconds <= MAX_DURATION ? milliseconds : undefined;
}

export function expectation(kind: Kind): string {
	switch (kind.type) {
		case "text":
			return "text";
		case "boolean":
			return "true or false";
		case "choice":
			return `one of ${kind.choices.join(", ")}`;
		case "duration":
			return "a duration such as 500ms, 30s or 10m";
		case "integer":
		case "number": {
			const noun = kind.type === "integer" ? "a whole number" : "a number";
			if (kind.min === undefined) return kind.max === undefined ? noun : `${noun} up to ${kind.max}`;
			return kind.max === undefined ? `${noun} from ${kind.min}` : `${noun} from ${kind.min} to ${kind.max}`;
		}
	}
}
