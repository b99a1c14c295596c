import { plainText } from "../render/plainText.ts";

/** A word as one would type it in a shell, with escapes for characters that a terminal does not show. */
export function shellWord(word: string): string {
	if (/^[\w@%+=:,./-]+$/.test(word)) return word;
	if (plainText(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
	return `$'${plainText(word.replace(/[\\']/g, "\\$&"))}'`;
}
