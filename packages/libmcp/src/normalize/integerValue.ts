import { accept, type Normalized, refuse } from "./normalized.ts";

export type IntegerRange = { readonly min?: number; readonly max?: number };

/** An integer given as a number or decimal text. Accepts `"7.0"` as 7; refuses `"7.5"`, `"1e3"`, `"007"` and `" 7"`. */
export function normalizeInteger(field: string, value: unknown, range: IntegerRange = {}): Normalized<number> {
	if (typeof value !== "number" && typeof value !== "string") return refuse("wrong_type", field, "an integer", value);
	const exact = typeof value === "number" ? exactNumber(value) : exactText(value);
	if (exact === undefined) return refuse("not_exact", field, "an integer", value);
	const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
	// Compared as big integers, because a text past 2^53 would first be rounded.
	if (exact < BigInt(min) || exact > BigInt(max))
		return refuse("out_of_range", field, `an integer from ${min} to ${max}`, value);
	return accept(Number(exact));
}

function exactNumber(value: number): bigint | undefined {
	return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function exactText(text: string): bigint | undefined {
	const digits = /^(-?(?:0|[1-9]\d{0,99}))(?:\.0{1,100})?$/.exec(text)?.[1];
	return digits === undefined ? undefined : BigInt(digits);
}
