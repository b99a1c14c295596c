/**
 * Trigrams are three adjacent characters in lower case. They narrow the files before a regular expression or a phrase
 * is run on text. Characters fall into 64 classes, so a trigram is a number below 2^18.
 */
export const TRIGRAM_COUNT: number = 1 << 18;

/** The class of all non-ASCII characters and of the remaining ASCII ones. */
const OTHER = 63;

/** Class by ASCII code. */
export const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

function classOf(code: number): number {
	if (code >= 97 && code <= 122) return code - 97;
	if (code >= 65 && code <= 90) return code - 65;
	if (code >= 48 && code <= 57) return 26 + code - 48;
	const mark = "_ \n\t().,;:=\"'/-*<>{}[]#$@&".indexOf(String.fromCharCode(code));
	return mark >= 0 ? 36 + mark : OTHER;
}

/** The trigrams of a text, each once. */
export function trigramsOf(text: string): Set<number> {
	const found = new Set<number>();
	const classAt = (index: number): number => CLASSES[text.charCodeAt(index)] ?? OTHER;
	for (let index = 2; index < text.length; index++) {
		found.add((classAt(index - 2) << 12) | (classAt(index - 1) << 6) | classAt(index));
	}
	return found;
}
