import { alternativesOf, lineLiteral, staysInLine } from "./lineLiteral.ts";
import { type LiteralFinder, literalFinder } from "./literalFinder.ts";

/** The lines, from 1, that a match touches, including empty matches. The pattern must be global and multi-line. */
export function matchedLines(text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		const [found] = match;
		const first = line(match.index);
		const spanned = found.split("\n").length - (found.endsWith("\n") ? 1 : 0);
		for (let touched = first; touched < first + spanned; touched++)
			if (touched > (lines.at(-1) ?? 0)) lines.push(touched);
		if (found === "") pattern.lastIndex = match.index + unitsAt(text, match.index, pattern.unicode);
	}
	return lines;
}

/** A Unicode pattern that starts inside a surrogate pair would restart at the pair's beginning, in an endless loop. */
function unitsAt(text: string, at: number, unicode: boolean): number {
	return unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Like `matchedLines`, for a pattern that matches within single lines: skips the rest of a matched line. */
function linesWithin(text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		lines.push(line(match.index));
		const newline = text.indexOf("\n", match.index);
		if (newline < 0) break;
		pattern.lastIndex = newline + 1;
	}
	return lines;
}

type LinesOf = (text: string) => number[];

/** Like `matchedLines`, for one pattern and many texts: skips lines that cannot match. */
export function lineMatcher(source: string, flags: string): LinesOf {
	const alternatives = alternativesOf(source).map((alternative) => literalMatcher(alternative, flags));
	const known = alternatives.filter((linesOf) => linesOf !== undefined);
	if (known.length < alternatives.length) {
		const pattern = new RegExp(source, flags);
		return staysInLine(source, flags) ? (text) => linesWithin(text, pattern) : (text) => matchedLines(text, pattern);
	}
	const [only] = known;
	return known.length === 1 && only ? only : (text) => union(known.map((linesOf) => linesOf(text)));
}

/** The sorted union of the alternatives' matched lines. */
function union(lists: readonly number[][]): number[] {
	const [first = [], ...others] = lists.filter((lines) => lines.length > 0);
	if (others.length === 0) return first;
	return [...new Set([first, ...others].flat())].sort((a, b) => a - b);
}

function literalMatcher(source: string, flags: string): LinesOf | undefined {
	const literal = lineLiteral(source, flags);
	if (literal === undefined) return undefined;
	const find = literalFinder(literal.text);
	if (!literal.leads) {
		const pattern = new RegExp(source, flags);
		return (text) => linesOfLiteral(find, text, pattern);
	}
	const there = new RegExp(source, `${flags.replace("g", "")}y`);
	return (text) => linesOfLeading(find, text, there);
}

/** For a pattern that matches within single lines and begins with the literal, so that it is tried only there. */
function linesOfLeading(find: LiteralFinder, text: string, there: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	for (let at = find(text, 0); at >= 0; ) {
		there.lastIndex = at;
		let from = at + 1;
		if (there.test(text)) {
			lines.push(line(at));
			const newline = text.indexOf("\n", at);
			if (newline < 0) break;
			from = newline;
		}
		at = find(text, from);
	}
	return lines;
}

/** For a pattern that matches within single lines that all contain the literal. */
function linesOfLiteral(find: LiteralFinder, text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	for (let at = find(text, 0); at >= 0; ) {
		const start = text.lastIndexOf("\n", at) + 1;
		const newline = text.indexOf("\n", at);
		const end = newline < 0 ? text.length : newline;
		pattern.lastIndex = 0;
		if (pattern.test(text.slice(start, end))) lines.push(line(start));
		at = find(text, end);
	}
	return lines;
}

/** Returns line numbers for ascending offsets. */
function lineCounter(text: string): (offset: number) => number {
	let line = 1;
	let at = 0;
	return (offset) => {
		for (let newline = text.indexOf("\n", at); newline >= 0 && newline < offset; newline = text.indexOf("\n", at)) {
			line += 1;
			at = newline + 1;
		}
		return line;
	};
}
