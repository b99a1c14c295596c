const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g;

/** Removes white space between the tokens of valid JSON text. Everything else keeps its spelling. */
export function compactJson(text: string): string {
	return text.replace(STRING_OR_SPACE, "$1");
}
