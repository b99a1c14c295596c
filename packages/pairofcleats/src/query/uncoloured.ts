/** Colour codes of terminal output. The length is bounded, because a query can be any text. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;:]{0,40}[A-Za-z]`, "g");

/** Removes colour codes, which would separate a path from its line number. */
export function uncoloured(text: string): string {
	return text.replaceAll(COLOUR, "");
}
