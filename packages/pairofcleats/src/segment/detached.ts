/** A copy of a slice, which would otherwise keep its whole file in memory; lone surrogates are replaced. */
export function detached(text: string): string {
	// V8 itself copies shorter slices.
	return text.length < 13 ? text.toWellFormed() : Buffer.from(text, "utf8").toString("utf8");
}
