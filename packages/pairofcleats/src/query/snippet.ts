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
	/** The terms of the query that a word has. */
	readonly termsIn: TermsIn;
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
function lineStrength(text: string, line: number, { termsIn, marked }: SnippetInput): number {
	const found = new Set<string>();
	for (const word of wordsOf(text.slice(0, 2_000))) for (const term of termsIn(word)) found.add(term);
	return found.size + (marked.has(line) ? 100 : 0);
}

export type TermsIn = (word: string) => readonly string[];

/** Most words of a page of hits repeat, so each is split once. */
export function termFinder(terms: ReadonlySet<string>): TermsIn {
	const known = new Map<string, readonly string[]>();
	return (word) => {
		let found = known.get(word);
		if (found === undefined) {
			const parts = splitIdentifier(word);
			const all = parts.length > 1 ? [...parts.map(stem), parts.join("")] : parts.map(stem);
			found = all.filter((term) => terms.has(term));
			known.set(word, found);
		}
		return found;
	};
}

function shorten(line: string): string {
	const text = line.endsWith("\r") ? line.slice(0, -1) : line;
	return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
