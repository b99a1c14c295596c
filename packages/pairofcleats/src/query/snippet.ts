import type { Snippet } from "../repo/result.ts";
import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";
import { wordsOf } from "../tokens/terms.ts";

export const DEFAULT_CONTEXT = 2;
/** A snippet is a glance: longer ones are what `show` is for. */
const MOST_LINES = 60;
const LONGEST_LINE = 400;

export type SnippetInput = {
	/** Lines of the whole file. */
	readonly lines: readonly string[];
	/** Of the chunk, from 1. */
	readonly startLine: number;
	readonly endLine: number;
	/** Terms of the query. */
	readonly terms: ReadonlySet<string>;
	/** Lines that a phrase or an expression matched. */
	readonly marked: ReadonlySet<number>;
	readonly context: number;
	/** Prefer the first line: it is the definition that was asked for. */
	readonly definition: boolean;
};

/** The lines of a chunk that answer best, with those round them. */
export function makeSnippet(input: SnippetInput): Snippet {
	const { lines, startLine, endLine, context } = input;
	const strength = new Map<number, number>();
	for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
		const found = lineStrength(lines[line - 1] ?? "", line, input);
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
	const from = Math.max(1, best - context);
	const to = Math.min(lines.length, best + context, from + MOST_LINES - 1);
	return {
		startLine: from,
		lines: lines.slice(from - 1, to).map(shorten),
		matched: [...strength.keys()].filter((line) => line >= from && line <= to),
	};
}

/** Distinct terms on the line; a phrase or an expression outweighs words. */
function lineStrength(text: string, line: number, { terms, marked }: SnippetInput): number {
	const found = new Set<string>();
	for (const word of wordsOf(text.slice(0, 2_000))) {
		const parts = splitIdentifier(word);
		for (const part of parts) if (terms.has(stem(part))) found.add(stem(part));
		if (parts.length > 1 && terms.has(parts.join(""))) found.add(parts.join(""));
	}
	return found.size + (marked.has(line) ? 100 : 0);
}

function shorten(line: string): string {
	const text = line.endsWith("\r") ? line.slice(0, -1) : line;
	return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
