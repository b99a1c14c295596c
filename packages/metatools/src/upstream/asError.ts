/** A thrown value as an error; anything may be thrown. */
export function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
