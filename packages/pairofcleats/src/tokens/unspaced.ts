/** A letter of a script without spaces between words, or with endings joined to them, as in Korean. */
export const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;

const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, "v");
const HAS_UNSPACED = new RegExp(UNSPACED, "v");
const LONE_LETTER = new RegExp(`^${UNSPACED}$`, "v");

export function startsUnspaced(text: string): boolean {
	return STARTS_UNSPACED.test(text);
}

export function hasUnspaced(text: string): boolean {
	return HAS_UNSPACED.test(text);
}

/** Whether the text is a single such letter, which the index has only as half of a pair. */
export function isLoneLetter(text: string): boolean {
	return LONE_LETTER.test(text);
}

/**
 * Splits a text of such letters into overlapping pairs, because nothing marks where a word ends. Returns any other text
 * as it is.
 */
export function pairsOf(text: string): string[] {
	if (!startsUnspaced(text)) return [text];
	const letters = [...text];
	return letters.length < 3 ? [text] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
