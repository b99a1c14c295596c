/** The code of a system's or Node's error, such as ENOENT; undefined for anything else that was thrown. */
export function readErrorCode(thrown: unknown): string | undefined {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** A thrown value as an error; anything may be thrown. */
export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
