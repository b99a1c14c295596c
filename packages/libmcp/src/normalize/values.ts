import { isDeepStrictEqual } from "node:util";

/** The canonical value, or why there is none: a normalizer never rounds, saturates or guesses. */
export type Normalized<Value> =
	| { readonly ok: true; readonly value: Value }
	| { readonly ok: false; readonly error: NormalizeError };

/** A refused value: where it was, why it was refused, and what would have been accepted. */
export type NormalizeError = {
	readonly code: NormalizeErrorCode;
	readonly field: string;
	readonly expected: string;
	/** The value received, shortened. */
	readonly received: string;
};

/** Why a value was refused, for programs. */
export const NORMALIZE_ERROR_CODES = [
	"wrong_type",
	"not_exact",
	"out_of_range",
	"conflict",
	"foreign",
	"ambiguous",
	"unknown",
] as const;
export type NormalizeErrorCode = (typeof NORMALIZE_ERROR_CODES)[number];

export function accept<Value>(value: Value): Normalized<Value> {
	return { ok: true, value };
}

export function refuse(
	code: NormalizeErrorCode,
	field: string,
	expected: string,
	received: unknown,
): Normalized<never> {
	return { ok: false, error: { code, field, expected, received: describe(received) } };
}

/** One line for the sender of the value. */
export function describeNormalizeError({ field, expected, received }: NormalizeError): string {
	return `${field}: expected ${expected}, got ${received}`;
}

function describe(value: unknown): string {
	if (typeof value === "number" || typeof value === "bigint") return String(value);
	const text = String(JSON.stringify(value));
	return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}

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

/** Finds the canonical name a caller means. */
export type MethodTokens = (field: string, value: unknown) => Normalized<string>;

/**
 * Resolves names in any letter case, with dashes, underscores, dots, slashes or spaces as separators, and by alias. An
 * exact match wins; otherwise exactly one name must match.
 */
export function createMethodTokens(
	names: readonly string[],
	aliases: Readonly<Record<string, string>> = {},
): MethodTokens {
	const exact = new Map([...names.map((name) => [name, name] as const), ...Object.entries(aliases)]);
	const folded = new Map<string, Set<string>>();
	for (const [token, name] of exact) {
		if (!names.includes(name)) throw new TypeError(`alias ${token}: expected one of ${names.join(", ")}, got ${name}`);
		folded.set(fold(token), (folded.get(fold(token)) ?? new Set()).add(name));
	}
	return (field, value) => {
		if (typeof value !== "string") return refuse("wrong_type", field, "a name", value);
		const named = exact.get(value);
		if (named !== undefined) return accept(named);
		const [only, ...others] = folded.get(fold(value)) ?? [];
		if (only === undefined) return refuse("unknown", field, `one of ${names.join(", ")}`, value);
		return others.length === 0
			? accept(only)
			: refuse("ambiguous", field, `one of ${[only, ...others].join(", ")}`, value);
	};
}

function fold(token: string): string {
	// readFile and read_file are the same words.
	return token.replace(/[-_./\s]/g, "").toLowerCase();
}

/** Canonical field to the other names callers use for it. */
export type FieldAliases = Readonly<Record<string, readonly string[]>>;

/** Returns the arguments under canonical names. Two names for one field must have the same value. */
export function normalizeFields(
	input: Readonly<Record<string, unknown>>,
	aliases: FieldAliases,
): Normalized<Record<string, unknown>> {
	const canonical = new Map(
		Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
	);
	const output = new Map<string, unknown>();
	const cameAs = new Map<string, string>();
	for (const [field, value] of Object.entries(input)) {
		const name = canonical.get(field) ?? field;
		const earlier = cameAs.get(name);
		if (earlier !== undefined && !isDeepStrictEqual(output.get(name), value)) {
			return refuse("conflict", name, `one value under ${earlier} and ${field}`, [output.get(name), value]);
		}
		cameAs.set(name, field);
		output.set(name, value);
	}
	return accept(Object.fromEntries(output));
}
