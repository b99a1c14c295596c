import type { Snippet } from "./result.ts";
import type { TermFinder } from "./termFinder.ts";

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
