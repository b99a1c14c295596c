import type { Snippet } from "../repo/result.ts";
import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";
import { wordsOf } from "../tokens/terms.ts";

export const DEFAULT_CONTEXT = 2;
/** A snippet is a glance: longer ones are what `show` is for. */
const MOST_LINES = 60;
const LONGEST_LINE = 400;
/** Of a very long chunk, only so many lines are looked through for the best one. */
const MOST_READ = 400;

export type SnippetInput = {
	/** Of the whole file. */
	readonly text: string;
	/** Where the chunk begins in it; 0 where only its lines are known. */
	readonly start: number;
	/** Of the chunk, from 1. */
	readonly startLine: number;
	readonly endLine: number;
	/** Looks for the terms of the query. */
	readonly terms: TermFinder;
	/** Lines that a phrase or an expression matched. */
	readonly marked: ReadonlySet<number>;
	readonly context: number;
	/** Prefer the first line: it is the definition that was asked for. */
	readonly definition: boolean;
};

/** The lines of a chunk that answer best, with those round them. */
export function makeSnippet(input: SnippetInput): Snippet {
	const { first, lines } = linesRound(input);
	const { startLine, endLine, context } = input;
	const strength = new Map<number, number>();
	for (let line = startLine; line <= Math.min(endLine, startLine + MOST_READ); line++) {
		const found = lineStrength(lines[line - first] ?? "", line, input);
		if (found > 0) strength.set(line, found);
	}
	let best = startLine;
	let most = input.definition ? Number.POSITIVE_INFINITY : 0;
	for (const [line, found] of strength) {
		if (found > most) {
			best = line;
			most = found;
		}
	}
	const from = Math.max(first, best - context);
	const to = Math.min(first + lines.length - 1, best + context, from + MOST_LINES - 1);
	return {
		startLine: from,
		lines: lines.slice(from - first, to - first + 1).map(shorten),
		matched: [...strength.keys()].filter((line) => line >= from && line <= to),
	};
}

/** The chunk's lines and `context` more on either side, cut out without splitting the whole file. */
function linesRound({ text, start, startLine, endLine, context }: SnippetInput): { first: number; lines: string[] } {
	let at = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
	let first = start === 0 ? 1 : startLine;
	while (first < startLine - context) {
		at = text.indexOf("\n", at) + 1;
		first += 1;
	}
	while (first > Math.max(1, startLine - context) && at > 0) {
		at = at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
		first -= 1;
	}
	const lines: string[] = [];
	for (let line = first; line <= Math.min(endLine, startLine + MOST_READ) + context && at < text.length; line++) {
		const end = text.indexOf("\n", at);
		lines.push(text.slice(at, end < 0 ? text.length : end));
		at = end < 0 ? text.length : end + 1;
	}
	return { first, lines };
}

/** Distinct terms on the line; a phrase or an expression outweighs words. */
function lineStrength(text: string, line: number, { terms, marked }: SnippetInput): number {
	return terms.countIn(text.slice(0, 2_000)) + (marked.has(line) ? 100 : 0);
}

/** Counts the terms of a query in lines. Most words of a page of hits repeat, so each is split once. */
export class TermFinder {
	readonly #numbers: ReadonlyMap<string, number>;
	readonly #known = new Map<string, readonly number[]>();
	/** For each term, the last line that was seen to have it. */
	readonly #seen: Uint32Array;
	readonly #hint: RegExp | undefined;
	#line = 0;

	constructor(terms: readonly string[]) {
		this.#numbers = new Map(terms.map((term, number) => [term, number]));
		this.#seen = new Uint32Array(terms.length);
		this.#hint = hintOf(terms);
	}

	/** How many different terms a line has. */
	countIn(line: string): number {
		if (this.#hint?.test(line) === false) return 0;
		this.#line += 1;
		let count = 0;
		for (const word of wordsOf(line)) {
			for (const number of this.#known.get(word) ?? this.#split(word)) {
				if (this.#seen[number] === this.#line) continue;
				this.#seen[number] = this.#line;
				count += 1;
			}
		}
		return count;
	}

	#split(word: string): readonly number[] {
		const parts = splitIdentifier(word);
		const all = parts.length > 1 ? [...parts.map(stem), parts.join("")] : parts.map(stem);
		const found = all.flatMap((term) => this.#numbers.get(term) ?? []);
		this.#known.set(word, found);
		return found;
	}
}

/** Beyond so many terms nearly every line has one. */
const MOST_HINTED = 24;

/** A line without the beginning of any term has none: a stem keeps the first three letters of its word. */
function hintOf(terms: readonly string[]): RegExp | undefined {
	if (terms.length === 0 || terms.length > MOST_HINTED || !terms.every((term) => /^[a-z0-9]+$/.test(term)))
		return undefined;
	return new RegExp([...new Set(terms.map((term) => term.slice(0, 3)))].join("|"), "i");
}

function shorten(line: string): string {
	const text = line.endsWith("\r") ? line.slice(0, -1) : line;
	return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
