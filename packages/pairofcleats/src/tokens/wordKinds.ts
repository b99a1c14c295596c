/** What a character can be to a word, as the WORD pattern has it: that pattern on numbers, without making strings. */
export const WORD_KIND = { digit: 0, letter: 1, inner: 2, other: 3 } as const;
/** From here on no word begins. */
export const OTHER_KIND = WORD_KIND.inner;

const UNSEEN = 4;
/** By UTF-16 unit; characters beyond ASCII are looked up in the Unicode tables when first met. Halves of a pair never are. */
const KINDS = new Uint8Array(1 << 16).fill(UNSEEN);
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(code);

/** The kind of the character at `at`, in a text from `from` to `to`. */
export function kindAt(units: Uint16Array, at: number, from: number, to: number): number {
	const kind = KINDS[units[at] ?? 0] ?? UNSEEN;
	return kind === UNSEEN ? lookUp(units, at, from, to) : kind;
}

function lookUp(units: Uint16Array, at: number, from: number, to: number): number {
	const code = units[at] ?? 0;
	if (isHigh(code))
		return at + 1 < to && isLow(units[at + 1] ?? 0) ? pairKind(code, units[at + 1] ?? 0) : WORD_KIND.other;
	// The second half is of the kind of the whole.
	if (isLow(code))
		return at > from && isHigh(units[at - 1] ?? 0) ? pairKind(units[at - 1] ?? 0, code) : WORD_KIND.other;
	const kind = kindOf(code);
	KINDS[code] = kind;
	return kind;
}

function pairKind(high: number, low: number): number {
	return kindOf(((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000);
}

function kindOf(code: number): number {
	const character = String.fromCodePoint(code);
	if (/[0-9]/.test(character)) return WORD_KIND.digit;
	if (/[\p{L}_$]/u.test(character)) return WORD_KIND.letter;
	return /[\p{M}\p{N}]/u.test(character) ? WORD_KIND.inner : WORD_KIND.other;
}

function isHigh(code: number): boolean {
	return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
	return code >= 0xdc00 && code < 0xe000;
}
