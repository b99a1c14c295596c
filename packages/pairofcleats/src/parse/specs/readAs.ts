/**
 * Text unknown to the grammar, and what the grammar is shown instead; the replacement has the same length, so that
 * offsets stay valid. With `words`, only texts that have one of them are searched,
 * since looking for a word is many times faster.
 */
export type ReadAs = {
	readonly words?: readonly string[];
	readonly at: RegExp;
	/** Is given the first captured group too. */
	readonly as: (written: string, kept: string) => string;
};

export function replaced(text: string, { words, at, as }: ReadAs): string {
	return words && !words.some((word) => text.includes(word)) ? text : text.replace(at, as);
}

/** Replaces the text with a word or token, padded with spaces. */
export function word(mark: string): ReadAs["as"] {
	return (written) => mark.padEnd(written.length);
}

/** Replaces the text with a decorator of the same length on its first line. */
export function decorator(written: string): string {
	const [first = "", ...others] = written.split("\n");
	return [`@${"_".repeat(first.length - 1)}`, ...others.map((line) => " ".repeat(line.length))].join("\n");
}

/** Replaces a longer type declaration with `class Name`. */
export function classHead(written: string): string {
	const [, words = "", name = ""] = /^((?:\w+[ \t]+)+)(\w+)/.exec(written) ?? [];
	return `${"class".padEnd(words.length)}${name}`.padEnd(written.length);
}

/** Replaces the text with an empty body. */
export function body(written: string): string {
	return `{${written.slice(1, -1).replace(/[^\n]/g, " ")}}`;
}

/** Replaces the text with a name of the same length. */
export function nameLike(written: string): string {
	return "_".repeat(written.length);
}

/** Replaces the text with a string of the same length. */
export function quoted(written: string): string {
	return `"${nameLike(written.slice(2))}"`;
}

/** Replaces the text with spaces. */
export function blank(written: string): string {
	return written.replace(/[^\n]/g, " ");
}

/** Text that the grammar would misread, and is shown as spaces; capture group 1 is kept. */
export type Blank = RegExp | ReadAs;

/** A blank for texts that have one of these words. */
export function having(words: readonly string[], at: RegExp): ReadAs {
	return { words, at, as: spaces };
}

export function dropBlank(text: string, blank: Blank): string {
	return replaced(text, "as" in blank ? blank : { at: blank, as: spaces });
}

function spaces(whole: string, kept: string): string {
	return kept + " ".repeat(whole.length - kept.length);
}
