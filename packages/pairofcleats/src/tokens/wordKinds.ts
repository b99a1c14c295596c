/** The kinds of characters in the WORD pattern. `assembly/kinds.ts` uses the same numbers. */
const WORD_KIND = { digit: 0, letter: 1, inner: 2, other: 3 } as const;

export function kindOf(code: number): number {
	const character = String.fromCodePoint(code);
	if (/[0-9]/.test(character)) return WORD_KIND.digit;
	if (/[\p{L}_$]/u.test(character)) return WORD_KIND.letter;
	return /[\p{M}\p{N}]/u.test(character) ? WORD_KIND.inner : WORD_KIND.other;
}
