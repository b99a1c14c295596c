const STRING_OR_SPACE = /("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g;

/** Valid JSON text without the white space between its tokens; all else stays as it is spelt. */
export function compactJson(text: string): string {
	return text.replace(STRING_OR_SPACE, "$1");
}
