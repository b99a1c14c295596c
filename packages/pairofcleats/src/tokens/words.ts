import { stemWord } from "./wordForms.ts";

/** A letter of a script without spaces between words, or with endings joined to them, as in Korean. */
export const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;

const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, "v");
const HAS_UNSPACED = new RegExp(UNSPACED, "v");
const LONE_LETTER = new RegExp(`^${UNSPACED}$`, "v");

function isUnspacedStart(text: string): boolean {
	return STARTS_UNSPACED.test(text);
}

function hasUnspaced(text: string): boolean {
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
function splitIntoPairs(text: string): string[] {
	if (!isUnspacedStart(text)) return [text];
	const letters = [...text];
	return letters.length < 3 ? [text] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const ASCII = /^\p{ASCII}*$/u;
/** Matches most words in code and questions, which need no split. */
const LOWER_CASE = /^[a-z]+$/;
/** The parts in any script. Runs of a script without spaces are kept whole here and split into pairs later. */
const ANY_PART = new RegExp(
	String.raw`${UNSPACED}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[[\p{L}\p{M}]--\p{Lu}--${UNSPACED}]+|\p{N}+`,
	"gv",
);
/** Accents of Latin, Greek and Cyrillic letters. Not everybody types them, and some systems store them separately. */
const ACCENTS = /[\u0300-\u036f]+/g;

/** The words inside an identifier, lower-cased: `parseHTTPHeader_v2` gives parse, http, header, v, 2. */
export function splitIdentifier(identifier: string): string[] {
	if (LOWER_CASE.test(identifier)) return [identifier];
	if (!ASCII.test(identifier)) return splitAny(identifier);
	const parts = identifier.match(PART);
	if (parts === null) return [];
	for (let index = 0; index < parts.length; index++) parts[index] = (parts[index] ?? "").toLowerCase();
	return parts;
}

/** Drops accents: `TrouverClé` gives trouver, cle. */
function splitAny(identifier: string): string[] {
	const plain = identifier.normalize("NFD").replaceAll(ACCENTS, "").normalize("NFC");
	return (plain.match(ANY_PART) ?? []).flatMap((part) => splitIntoPairs(part.toLowerCase()));
}

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
export function splitIntoTerms(word: string): string[] {
	if (word.length > LONGEST_WORD) return hasUnspaced(word) ? splitIdentifier(word).filter(isUnspacedStart) : [];
	const parts = splitIdentifier(word);
	const terms = parts.map(stemWord);
	if (parts.length > 1) terms.push(parts.join(""));
	return terms;
}

/** The same for ASCII text, in half the time. */
const ASCII_WORDS = /[A-Za-z_$][\w$]*|[0-9]+/g;
const PLAIN = /^\p{ASCII}*$/u;

/** The words of a text in order. */
export function splitIntoWords(text: string): string[] {
	return text.match(PLAIN.test(text) ? ASCII_WORDS : WORD) ?? [];
}

/** The kinds of characters in the WORD pattern. `assembly/kinds.ts` uses the same numbers. */
const WORD_KIND = { digit: 0, letter: 1, inner: 2, other: 3 } as const;

export function classifyCharacter(code: number): number {
	const character = String.fromCodePoint(code);
	if (/[0-9]/.test(character)) return WORD_KIND.digit;
	if (/[\p{L}_$]/u.test(character)) return WORD_KIND.letter;
	return /[\p{M}\p{N}]/u.test(character) ? WORD_KIND.inner : WORD_KIND.other;
}

const IDENTIFIER = /[A-Za-z][A-Za-z0-9_]*/g;

/** The tokens that a static embedding table is trained and used with: no stem, no digits, no stop list. */
export function listEmbeddingTokens(text: string): string[] {
	const tokens: string[] = [];
	for (const identifier of text.match(IDENTIFIER) ?? []) {
		for (const token of embeddingTokensOfWord(identifier)) tokens.push(token);
	}
	return tokens;
}

function embeddingTokensOfWord(identifier: string): string[] {
	return splitIdentifier(identifier).filter((part) => part.length >= 2 && part.length <= 24 && !isDigit(part));
}

function isDigit(part: string): boolean {
	const code = part.charCodeAt(0);
	return code >= 48 && code <= 57;
}

/** The tokens of the last four parts of a path, without the extension. */
export function listPathTokens(path: string): string[] {
	return listEmbeddingTokens(
		path
			.replace(/\.[^./]*$/, "")
			.split("/")
			.slice(-4)
			.join("/"),
	);
}
