/** What a program sends to colour its output; bounded, as any text may come. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;:]{0,40}[A-Za-z]`, "g");

/** A text without the marks that a terminal colours it by: they stand between a path and its line. */
export function uncoloured(text: string): string {
	return text.replaceAll(COLOUR, "");
}
