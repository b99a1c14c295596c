import { cut } from "../catalog/text.ts";
import type { ErrorObject } from "../contract/errors.ts";

const MAX_MESSAGE = 2_000;
const MAX_DETAIL = 500;

/** A failure without its large details. */
export function shortError(error: ErrorObject): ErrorObject {
	const { message, details, ...rest } = error;
	const kept = Object.entries(details ?? {}).filter(([, value]) => `${JSON.stringify(value)}`.length <= MAX_DETAIL);
	return {
		...rest,
		message: cut(message, MAX_MESSAGE),
		...(details !== undefined && { details: Object.fromEntries(kept) }),
	};
}

/** The same value with its error shortened, if it has one. */
export function withShortError<Value extends { readonly error?: ErrorObject }>(value: Value): Value {
	return value.error === undefined ? value : { ...value, error: shortError(value.error) };
}
