import { WORD } from "../tokens/words.ts";

/** A word of a message, and whether it looks like an inserted value: a name, a path, a quoted text. */
export type MessageWord = { readonly word: string; readonly isValue: boolean };

/** No message is longer. The limit bounds the time that a long text takes. */
const LONGEST = 4_000;
const QUOTED = /(?<![\p{L}\p{N}])(["'`])(?:(?!\1).){1,200}?\1(?![\p{L}\p{N}])/gu;
/** Many messages put brackets around a value: `Route [login] not defined`. */
const BRACKETED = /\[[^\][]{1,200}\]/g;
const RUN = /\S+/g;
/** Digits, underscores or inner capitals: not an ordinary word. */
const COMPOSED = /[\d_$]|\p{Ll}\p{Lu}/u;

/** The words of a text that may be a message with values in it; none if the text is too long. */
export function messageWords(text: string): MessageWord[] {
	if (text.length > LONGEST) return [];
	const places = [...text.matchAll(RUN)].filter(([run]) => isPlace(run));
	const spans = [...text.matchAll(QUOTED), ...text.matchAll(BRACKETED), ...places].map(({ index, 0: found }) => ({
		from: index,
		to: index + found.length,
	}));
	return [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
		word: word.toLowerCase(),
		isValue: COMPOSED.test(word) || spans.some(({ from, to }) => index >= from && index < to),
	}));
}

const ROOTED = /^["'(<[]*(?:\w+:\/\/|\.{0,2}\/|[A-Za-z]:\\)./;
const LINE_OF_FILE = /.\.\w{1,5}:\d/;
/** `com.example.Name`, with at most one punctuation mark on each side. */
const DOTTED = /^\W?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\W?$/;

/** Whether a run without blanks names a file or an address. */
function isPlace(run: string): boolean {
	if (ROOTED.test(run) || LINE_OF_FILE.test(run) || DOTTED.test(run)) return true;
	// Two slashes with text before, between and after them.
	const first = run.indexOf("/", 1);
	return first !== -1 && run.lastIndexOf("/", run.length - 2) - first > 1;
}
