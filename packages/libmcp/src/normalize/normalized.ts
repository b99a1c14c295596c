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
export function normalizeMessage({ field, expected, received }: NormalizeError): string {
	return `${field}: expected ${expected}, got ${received}`;
}

function describe(value: unknown): string {
	if (typeof value === "number" || typeof value === "bigint") return String(value);
	const text = String(JSON.stringify(value));
	return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}
