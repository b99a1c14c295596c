import { stemWord } from "../tokens/wordForms.ts";
import { isLoneLetter, splitIdentifier, splitIntoWords } from "../tokens/words.ts";
import type { Snippet } from "./result.ts";

/** Longest snippet; `show` returns more. */
const MOST_LINES = 60;
const LONGEST_LINE = 400;
/** In a very long chunk, only this many lines are searched for the best one. */
const MOST_READ = 400;

export type SnippetInput = {
	/** The chunk with the context lines around it, or the whole file. */
	readonly text: string;
	/** Offset of the chunk in the text. Absent for a whole file if only the chunk's lines are known. */
	readonly start?: number;
	/** Offset in the text at which an expression matched, if the chunk has a part of a very long line. */
	readonly match?: number;
	/** Lines of the chunk, from 1. */
	readonly startLine: number;
	readonly endLine: number;
	/** Finds the terms of the query. */
	readonly terms: TermFinder;
	/** Lines that a phrase or regular expression matched. */
	readonly marked: ReadonlySet<number>;
	/** Whether no other line matched: words alone only choose the line to show. */
	readonly marksOnly: boolean;
	readonly context: number;
	/** The signature of the wanted definition. The snippet shows the line it begins on, not the comment above it. */
	readonly signature?: string;
};

/** Longer lines are minified code, not declarations. */
const MOST_OF_LINE = 2_000;
/** How much of a line is searched, from the chunk's start. No chunk is longer. */
const LONGEST_PIECE = 20_000;

/** Makes a snippet of the chunk's best matching line and the lines around it. */
export function makeSnippet(input: SnippetInput): Snippet {
	const { text, startLine, endLine, context, signature } = input;
	const chunkAt = lineStart(input);
	let last = Math.min(endLine, startLine + MOST_READ);
	const matched: number[] = [];
	let best = { line: startLine, at: chunkAt, strength: signature === undefined ? 0 : FIRST_LINE };
	for (let line = startLine, at = chunkAt; line <= last && at < text.length; line++) {
		const end = lineEnd(text, at);
		let strength = strengthOf(input, line, at, end);
		if (best.strength < DECLARED && begins(signature, text, at, end)) {
			strength = DECLARED;
			last = Math.min(last, line + context);
		}
		if (input.marksOnly ? input.marked.has(line) : strength > 0) matched.push(line);
		if (strength > best.strength) best = { line, at, strength };
		at = end + 1;
	}
	const lines: string[] = [];
	const { line: from, at: fromAt } = stepBack(text, best.line, best.at, context);
	const to = Math.min(best.line + context, from + MOST_LINES - 1);
	for (let line = from, at = fromAt; line <= to && at < text.length; line++) {
		const end = lineEnd(text, at);
		lines.push(line === best.line ? shownOf(input, at, end) : shorten(text.slice(at, end)));
		at = end + 1;
	}
	return { startLine: from, lines, matched: matched.filter((line) => line >= from && line < from + lines.length) };
}

/** Where the chunk's first line begins. */
function lineStart({ text, start, startLine }: SnippetInput): number {
	if (start !== undefined) return start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
	let at = 0;
	for (let line = 1; line < startLine && at < text.length; line++) at = lineEnd(text, at) + 1;
	return at;
}

function lineEnd(text: string, at: number): number {
	const end = text.indexOf("\n", at);
	return end < 0 ? text.length : end;
}

/** The start of the line `count` lines before the one at `at`, or of the first line. */
function stepBack(text: string, line: number, at: number, count: number): { line: number; at: number } {
	let [first, from] = [line, at];
	while (first > Math.max(1, line - count) && from > 0) {
		from = from < 2 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
		first -= 1;
	}
	return { line: first, at: from };
}

/** The number of distinct terms on the line. A phrase or regular expression outweighs words. */
function strengthOf(
	{ text, start, terms, marked, match }: SnippetInput,
	line: number,
	at: number,
	end: number,
): number {
	const from = pieceStart(start, at, end);
	const marks = (marked.has(line) ? 100 : 0) + (isWithin(match, at, end) ? 100 : 0);
	return terms.countIn(text, from, Math.min(end, from + LONGEST_PIECE)) + marks;
}

function isWithin(match: number | undefined, at: number, end: number): match is number {
	return match !== undefined && match >= at && match <= end;
}

/** Where the chunk begins, in a line that spans many chunks. */
function pieceStart(start: number | undefined, at: number, end: number): number {
	return end - at > MOST_OF_LINE && start !== undefined && start > at && start < end ? start : at;
}

/** The line, or the part of a long line with the match or the most terms. */
function shownOf({ text, start, terms, match }: SnippetInput, at: number, end: number): string {
	const first = pieceStart(start, at, end);
	if (isWithin(match, at, end) && match - first > LONGEST_LINE / 2)
		return `…${shorten(text.slice(match - LONGEST_LINE / 2, end))}`;
	let best = { from: first, count: 0 };
	for (let from = first; from < Math.min(end, first + LONGEST_PIECE); from += LONGEST_LINE / 2) {
		const count = terms.countIn(text, from, Math.min(end, from + LONGEST_LINE));
		if (count > best.count) best = { from, count };
	}
	return `${best.from > at ? "…" : ""}${shorten(text.slice(best.from, end))}`;
}

/** Above any word count, so that a declaration's first line is shown if the signature is not found. */
const FIRST_LINE = 1e6;
const DECLARED = Number.POSITIVE_INFINITY;

/** Whether a declaration begins on a line, regardless of what precedes it and how it is wrapped. */
function begins(signature: string | undefined, text: string, at: number, end: number): boolean {
	if (signature === undefined || signature === "" || end - at > MOST_OF_LINE) return false;
	const line = text.slice(at, end).trim().replaceAll(/\s+/g, " ");
	return line.includes(signature) || (line.length > 3 && signature.startsWith(line.replace(/[\s{(,]+$/, "")));
}

function shorten(line: string): string {
	const text = line.endsWith("\r") ? line.slice(0, -1) : line;
	return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}

/** Classes of ASCII characters: 0 outside words, then letters ignoring case, digits, and joining characters. */
const CLASS = new Uint8Array(128);
for (const [index, letter] of [..."abcdefghijklmnopqrstuvwxyz0123456789"].entries()) {
	CLASS[letter.charCodeAt(0)] = index + 1;
	CLASS[letter.toUpperCase().charCodeAt(0)] = index + 1;
}
const JOINT = 37;
for (const joint of "_$") CLASS[joint.charCodeAt(0)] = JOINT;
const FIRST_DIGIT = 27;

/**
 * Counts the query's terms in lines. Few words contain a term, and checking three letters rules out most words before
 * they are extracted and split.
 */
export class TermFinder {
	readonly #numbers: ReadonlyMap<string, number>;
	readonly #known = new Map<string, readonly number[]>();
	/** For each term, the last line that contained it. */
	readonly #seen: Uint32Array;
	/** Terms that are a single letter of a script without spaces; they also count inside words. */
	readonly #letters: readonly string[];
	/** Marks the first three letters of every term; a stemWord begins with the same letters as its word. */
	readonly #marks = new Uint8Array(1 << 12);
	/** Whether a word of one or two letters can be a term. */
	readonly #short: boolean;
	#line = 0;

	constructor(terms: readonly string[]) {
		this.#numbers = new Map(terms.map((term, number) => [term, number]));
		this.#seen = new Uint32Array(terms.length);
		this.#letters = terms.filter(isLoneLetter);
		this.#short = terms.some(({ length }) => length < 3);
		for (const term of terms) this.#mark(term);
	}

	/** The number of distinct terms between two offsets of a text. */
	countIn(text: string, from: number, to: number): number {
		if (this.#seen.length === 0) return 0;
		this.#line += 1;
		let count = 0;
		for (let at = from; at < to; ) {
			const code = text.charCodeAt(at);
			if (code > 127) return count + this.#countWords(splitIntoWords(text.slice(at, to)));
			const first = CLASS[code] ?? 0;
			if (first === 0) {
				at += 1;
				continue;
			}
			const start = at;
			const isNumber = first >= FIRST_DIGIT && first < JOINT;
			let three = 0;
			let letters = 0;
			let likely = false;
			for (; at < to; at++) {
				const next = text.charCodeAt(at);
				// Non-ASCII: fall back to the word pattern for the rest of the line, from the start of this word.
				if (next > 127) return count + this.#countWords(splitIntoWords(text.slice(start, to)));
				const kind = CLASS[next] ?? 0;
				if (kind === 0 || (isNumber && (kind < FIRST_DIGIT || kind === JOINT))) break;
				if (kind === JOINT) continue;
				three = ((three << 6) | kind) & 0x3ffff;
				letters += 1;
				if (letters > 2 && this.#marks[slot(three)] === 1) likely = true;
			}
			if (likely || (letters < 3 && this.#short)) count += this.#count(text.slice(start, at));
		}
		return count;
	}

	#countWords(words: readonly string[]): number {
		let count = 0;
		for (const word of words) count += this.#count(word);
		return count;
	}

	/** The number of the word's terms that are new on this line. */
	#count(word: string): number {
		let count = 0;
		for (const number of this.#known.get(word) ?? this.#split(word)) {
			if (this.#seen[number] === this.#line) continue;
			this.#seen[number] = this.#line;
			count += 1;
		}
		return count;
	}

	#split(word: string): readonly number[] {
		const parts = splitIdentifier(word);
		const found: number[] = [];
		const look = (term: string): void => {
			const number = this.#numbers.get(term);
			if (number !== undefined) found.push(number);
		};
		for (const part of parts) look(stemWord(part));
		if (parts.length > 1) look(parts.join(""));
		for (const letter of this.#letters) if (word.includes(letter)) look(letter);
		this.#known.set(word, found);
		return found;
	}

	/** A two-letter term can have any letter before or after it; a single letter can be anywhere. */
	#mark(term: string): void {
		const a = CLASS[term.charCodeAt(0)] ?? 0;
		const b = CLASS[term.charCodeAt(1)] ?? 0;
		const c = CLASS[term.charCodeAt(2)] ?? 0;
		if (term.length < 2) this.#marks.fill(1);
		else if (term.length > 2) this.#marks[slot((a << 12) | (b << 6) | c)] = 1;
		else {
			for (let any = 1; any < JOINT; any++) {
				this.#marks[slot((a << 12) | (b << 6) | any)] = 1;
				this.#marks[slot((any << 12) | (a << 6) | b)] = 1;
			}
		}
	}
}

function slot(three: number): number {
	return Math.imul(three, 0x9e3779b1) >>> 20;
}
