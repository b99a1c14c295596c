import { type ReadAs, replaced } from "./readAs.ts";

/** Text that the grammar would misread, and is shown as spaces; capture group 1 is kept. */
export type Blank = RegExp | ReadAs;

/** A blank for texts that have one of these words. */
export function having(words: readonly string[], at: RegExp): ReadAs {
	return { words, at, as: spaces };
}

export function withoutBlank(text: string, blank: Blank): string {
	return replaced(text, "as" in blank ? blank : { at: blank, as: spaces });
}

function spaces(whole: string, kept: string): string {
	return kept + " ".repeat(whole.length - kept.length);
}
