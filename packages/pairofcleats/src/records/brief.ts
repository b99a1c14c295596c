const LONGEST_TEXT = 240;

/** A text as a list of findings shows it; the cut does not split a character. */
export function brief(text: string): string {
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
