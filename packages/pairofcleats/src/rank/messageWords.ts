import { WORD } from "../tokens/terms.ts";

/** A word of a message, and whether it looks like something that was put into it: a name, a path, what is in quotes. */
export type MessageWord = { readonly word: string; readonly isValue: boolean };

const QUOTED = /(?<![\p{L}\p{N}])(["'`])(?:(?!\1).){1,200}?\1(?![\p{L}\p{N}])/gu;
const PLACE = /(?<!\S)["'(<[]*(?:\w+:\/\/|\.{0,2}\/|[A-Za-z]:\\)\S+|\S+\/\S+\/\S+|\S+\.\w{1,5}:\d+/g;
/** Digits, underscores, and capitals inside: nobody writes a sentence with them. */
const COMPOSED = /[\d_$]|\p{Ll}\p{Lu}/u;

/** The words of a text that may be a message with values in it. */
export function messageWords(text: string): MessageWord[] {
	const spans = [QUOTED, PLACE].flatMap((pattern) =>
		[...text.matchAll(pattern)].map(({ index, 0: found }) => ({ from: index, to: index + found.length })),
	);
	return [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
		word: word.toLowerCase(),
		isValue: COMPOSED.test(word) || spans.some(({ from, to }) => index >= from && index < to),
	}));
}
