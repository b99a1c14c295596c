/** A slice keeps its whole file in memory; a copy does not. Half a pair cannot be stored, so it is replaced. */
export function detached(text: string): string {
	// Shorter ones are copied by the engine itself.
	return text.length < 13 ? text.toWellFormed() : Buffer.from(text, "utf8").toString("utf8");
}
