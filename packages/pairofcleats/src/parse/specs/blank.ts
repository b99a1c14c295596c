/**
 * Text that the grammar would misread, and is shown as spaces; capture group 1 is kept. With `words`, only a text that
 * has one of them is searched by the pattern, which takes many times as long as looking for a word.
 */
export type Blank = RegExp | { readonly words: readonly string[]; readonly at: RegExp };

export function having(words: readonly string[], at: RegExp): Blank {
	return { words, at };
}

export function withoutBlank(text: string, blank: Blank): string {
	if ("at" in blank && !hasAny(text, blank.words)) return text;
	return text.replace(
		"at" in blank ? blank.at : blank,
		(whole: string, kept: string) => kept + " ".repeat(whole.length - kept.length),
	);
}

export function hasAny(text: string, words: readonly string[]): boolean {
	return words.some((word) => text.includes(word));
}
