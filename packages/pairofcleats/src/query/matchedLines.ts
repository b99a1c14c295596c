import { lineLiteral } from "./lineLiteral.ts";

/** No file needs more matched lines than this to be found and shown. */
const MOST_LINES = 500;

/** Lines, from 1, that a match touches. The pattern is global and multi-line. */
export function matchedLines(text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match && lines.length < MOST_LINES; match = pattern.exec(text)) {
		if (match[0] === "") pattern.lastIndex += 1;
		const first = line(match.index);
		const spanned = match[0].split("\n").length;
		for (let touched = first; touched < first + spanned; touched++) if (lines.at(-1) !== touched) lines.push(touched);
	}
	return lines;
}

/** The same for one pattern and many texts: a line that cannot match is not tried. */
export function lineMatcher(source: string, flags: string): (text: string) => number[] {
	const pattern = new RegExp(source, flags);
	const literal = lineLiteral(source, flags);
	if (literal === undefined) return (text) => matchedLines(text, pattern);
	if (!literal.leads) return (text) => linesOfLiteral(literal.text, text, pattern);
	const there = new RegExp(source, `${flags.replace("g", "")}y`);
	return (text) => linesOfLeading(literal.text, text, there);
}

/** For a pattern that matches within single lines and begins with the literal: it matches there or not at all. */
function linesOfLeading(literal: string, text: string, there: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	for (let at = text.indexOf(literal); at >= 0 && lines.length < MOST_LINES; ) {
		there.lastIndex = at;
		let from = at + 1;
		if (there.test(text)) {
			lines.push(line(at));
			const newline = text.indexOf("\n", at);
			if (newline < 0) break;
			from = newline;
		}
		at = text.indexOf(literal, from);
	}
	return lines;
}

/** For one that matches within single lines, each of which has the literal. */
function linesOfLiteral(literal: string, text: string, pattern: RegExp): number[] {
	const lines: number[] = [];
	const line = lineCounter(text);
	for (let at = text.indexOf(literal); at >= 0 && lines.length < MOST_LINES; ) {
		const start = text.lastIndexOf("\n", at) + 1;
		const newline = text.indexOf("\n", at);
		const end = newline < 0 ? text.length : newline;
		pattern.lastIndex = 0;
		if (pattern.test(text.slice(start, end))) lines.push(line(start));
		at = text.indexOf(literal, end);
	}
	return lines;
}

/** Numbers of the lines of rising offsets. */
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
