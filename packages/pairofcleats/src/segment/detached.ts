/** A copy of a slice, which would otherwise keep its whole file in memory; lone surrogates are replaced. */
export function detached(text: string): string {
	// Shorter ones are copied by the engine itself.
	return text.length < 13 ? text.toWellFormed() : Buffer.from(text, "utf8").toString("utf8");
}
