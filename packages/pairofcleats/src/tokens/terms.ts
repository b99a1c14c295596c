import { splitIdentifier } from "./splitIdentifier.ts";
import { stem } from "./stem.ts";
import { hasUnspaced, startsUnspaced } from "./unspaced.ts";

/** An identifier or word in a text; the unit that is split into terms. */
export const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*|[0-9]+/gu;

/**
 * No useful word is longer, and a minified line or a base64 blob must not fill the vocabulary. Sentences in scripts
 * without spaces are exempt.
 */
export const LONGEST_WORD = 64;

/**
 * The terms a word is found by: its parts, stemmed, and, when it has several, the whole of it without separators, so
 * that `getUserName`, `get_user_name` and `GetUsername` match.
 */
export function termsOf(word: string): string[] {
	if (word.length > LONGEST_WORD) return hasUnspaced(word) ? splitIdentifier(word).filter(startsUnspaced) : [];
	const parts = splitIdentifier(word);
	const terms = parts.map(stem);
	if (parts.length > 1) terms.push(parts.join(""));
	return terms;
}

/** The same for ASCII text, in half the time. */
const PLAIN_WORD = /[A-Za-z_$][\w$]*|[0-9]+/g;
const PLAIN = /^\p{ASCII}*$/u;

/** The words of a text in order. */
export function wordsOf(text: string): string[] {
	return text.match(PLAIN.test(text) ? PLAIN_WORD : WORD) ?? [];
}
