import { STOP_WORDS } from "../../tokens/wordForms.ts";
import { splitIntoWords, WORD } from "../../tokens/words.ts";

/** Nobody searches for a longer message, and no longer line contains one. */
const LONGEST_MESSAGE = 400;
const LONGEST_LINE = 1_000;
/** A message may be concatenated from strings on a few lines. */
const MOST_LINES = 3;
/** A line with more strings is a table. */
const MOST_QUOTED = 20;
/** A log prefixes a message with its own words, each followed by a colon or in brackets. */
const MOST_PREFIXES = 4;
const BRACKETED = /^(?:\([^()]{1,60}\)|\[[^[\]]{1,60}\])\s+/;
const FEWEST_WORDS = 2;
const FEWEST_LETTERS = 8;

/** `#{a}` `${a}` `{a}` `{}` `%(a)s` `%-5.2f` `$a` `\(a)`, and the `%` before a C macro. */
const PLACEHOLDER =
	/[#$]?\{[^{}]{0,200}\}|%\(\w{1,60}\)[a-z]|%[-+#]{0,4}[\d.*]{0,8}(?:ll?|hh?|z)?[a-zA-Z@]|%$|\$\w{1,60}|\\\([^()]{0,100}\)/g;
/** Characters around a message that are not part of it. */
const BEFORE = /^[\s\p{P}\p{S}]+/u;
const BEHIND = /(?<![\s.!:;,…])[\s.!:;,…]+$/u;

/** The line of a chunk that holds a message, and how many letters of the message are literal in it. */
type Saying = { readonly line: number; readonly own: number };

/**
 * Returns a function that finds the string literal in a chunk that produces the message when its placeholders are
 * filled in. A literal that already contains all values is a different sentence about them and does not count.
 */
export function makeMessageFinder(
	message: string,
	values: readonly string[],
): ((text: string) => Saying | undefined) | undefined {
	const telling = splitIntoWords(message).filter((word) => tells(word.toLowerCase()));
	if (message.length > LONGEST_MESSAGE || telling.length === 0) return undefined;
	const said = listWithoutPrefixes(message).map(plain);
	// Most lines have no word of the message, so a cheap test skips them.
	const anyWord = new RegExp(telling.join("|").replaceAll("$", "\\$"), "i");
	return (text) => {
		const lines = text.split("\n");
		let best: Saying | undefined;
		for (const [at, line] of lines.entries()) {
			if (!anyWord.test(line)) continue;
			const first = quotedIn(line);
			if (first.length === 0) continue;
			const more = lines.slice(at + 1, at + MOST_LINES).map(quotedIn);
			const joined = [first, ...more.map((_, last) => [...first, ...more.slice(0, last + 1).flat()])];
			for (const texts of [...first.map((one) => [one]), ...joined]) {
				const own = ownLetters(texts, said, values);
				if (own > (best?.own ?? 0)) best = { line: at, own };
			}
		}
		return best;
	};
}

/** The message as it is, and without each prefix that a log may have added. */
export function listWithoutPrefixes(message: string): string[] {
	const starts = [0];
	for (let at = message.indexOf(": "); at >= 0 && starts.length < MOST_PREFIXES; at = message.indexOf(": ", at + 1))
		starts.push(at + 2);
	const ends = starts.map((start) => message.slice(start));
	return [...new Set(ends.flatMap((end) => [end, end.replace(BRACKETED, "")]))];
}

function plain(text: string): string {
	return text.toLowerCase().replaceAll(/\s+/g, " ").replace(BEFORE, "").replace(BEHIND, "");
}

/** The string literals on a line, in any language. */
function quotedIn(line: string): string[] {
	if (line.length > LONGEST_LINE) return [];
	const found: string[] = [];
	for (let at = 0; at < line.length && found.length < MOST_QUOTED; at++) {
		const quote = line[at];
		if (quote !== '"' && quote !== "'" && quote !== "`") continue;
		const end = closing(line, quote, at + 1);
		if (end < 0) continue;
		found.push(line.slice(at + 1, end));
		at = end;
	}
	return found;
}

function closing(line: string, quote: string, from: number): number {
	for (let at = from; at < line.length; at++) {
		if (line[at] === "\\") at += 1;
		else if (line[at] === quote) return at;
	}
	return -1;
}

/** How many letters of the literals make up one of the messages from its start to its end; 0 if none of them fits. */
function ownLetters(texts: readonly string[], said: readonly string[], values: readonly string[]): number {
	const pieces = texts.flatMap((text) => text.split(PLACEHOLDER)).map(unescaped);
	// A blank at an end means that a value is appended there: `"cannot open " + path`.
	if (pieces[0]?.startsWith(" ")) pieces.unshift("");
	if (/[\s'"([:=]$/.test(pieces.at(-1) ?? "")) pieces.push("");
	if (pieces.length < 2 || !tellsEnough(pieces.join(" "))) return 0;
	pieces[0] = pieces[0]?.replace(BEFORE, "") ?? "";
	pieces.push((pieces.pop() ?? "").replace(BEHIND, ""));
	const own = pieces.join(" ");
	const hasAll = values.length > 0 && values.every((value) => own.includes(value));
	if (hasAll || !said.some((message) => fits(pieces, message))) return 0;
	return own.replaceAll(" ", "").length;
}

function unescaped(piece: string): string {
	return piece
		.replaceAll(/\\[nrt]/g, " ")
		.replaceAll(/\\(.)/g, "$1")
		.replaceAll(/\s+/g, " ")
		.toLowerCase();
}

function tellsEnough(own: string): boolean {
	const words = splitIntoWords(own);
	return words.length >= FEWEST_WORDS && words.join("").length >= FEWEST_LETTERS && words.some(tells);
}

function tells(word: string): boolean {
	return word.length > 2 && !STOP_WORDS.has(word);
}

function fits(pieces: readonly string[], message: string): boolean {
	const last = pieces.at(-1) ?? "";
	if (!message.startsWith(pieces[0] ?? "") || !message.endsWith(last)) return false;
	let at = pieces[0]?.length ?? 0;
	for (const piece of pieces.slice(1, -1)) {
		const found = message.indexOf(piece, at);
		if (found < 0) return false;
		at = found + piece.length;
	}
	return at <= message.length - last.length;
}

/** A word of a message, and whether it looks like an inserted value: a name, a path, a quoted text. */
export type MessageWord = { readonly word: string; readonly isValue: boolean };

/** No message is longer. The limit bounds the time that a long text takes. */
const LONGEST = 4_000;
const QUOTED = /(?<![\p{L}\p{N}])(["'`])(?:(?!\1).){1,200}?\1(?![\p{L}\p{N}])/gu;
/** Many messages put brackets around a value: `Route [login] not defined`. */
const BRACKETED_VALUE = /\[[^\][]{1,200}\]/g;
const RUN = /\S+/g;
/** Digits, underscores or inner capitals: not an ordinary word. */
const COMPOSED = /[\d_$]|\p{Ll}\p{Lu}/u;

/** The words of a text that may be a message with values in it; none if the text is too long. */
export function readMessageWords(text: string): MessageWord[] {
	if (text.length > LONGEST) return [];
	const places = [...text.matchAll(RUN)].filter(([run]) => isPlace(run));
	const spans = [...text.matchAll(QUOTED), ...text.matchAll(BRACKETED_VALUE), ...places].map(({ index, 0: found }) => ({
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
