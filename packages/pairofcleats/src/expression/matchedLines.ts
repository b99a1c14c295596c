/** The lines, from 1, that a match touches, including empty matches. The pattern must be global and multi-line. */
export function findMatchedLines(text: string, pattern: RegExp): number[] {
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
export function makeLineMatcher(source: string, flags: string): LinesOf {
	const alternatives = listAlternatives(source).map((alternative) => literalMatcher(alternative, flags));
	const known = alternatives.filter((linesOf) => linesOf !== undefined);
	if (known.length < alternatives.length) {
		const pattern = new RegExp(source, flags);
		return isWithinLine(source, flags)
			? (text) => linesWithin(text, pattern)
			: (text) => findMatchedLines(text, pattern);
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
	const literal = findLineLiteral(source, flags);
	if (literal === undefined) return undefined;
	const find = makeLiteralFinder(literal.text);
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

/** Plain characters and classes without line breaks, which cannot match across lines. */
const ATOM = String.raw`[^\\[(|\p{Cc}]|\\[wdbBS]|\\[^\p{L}\p{N}\p{Cc}]|\[(?!\^)(?:[^\]\\\p{Cc}]|\\[wdS]|\\[^\p{L}\p{N}\p{Cc}])*\]`;
const WITHOUT_GROUPS = new RegExp(`^(?:${ATOM})*$`, "u");
/** Also allows groups, except those that change flags. */
const WITH_GROUPS = new RegExp(String.raw`^(?:${ATOM}|\||\((?:(?!\?)|\?[:=!<]))*$`, "u");
const TOKEN = /(\[(?:\\.|[^\]\\])*\]|\\.|.)([*+?]|\{\d+(?:,\d*)?\})?\??/gsu;
const SHORTEST = 3;

/** `leads` tells whether every match begins with the literal. */
type LineLiteral = { readonly text: string; readonly leads: boolean };

/**
 * A literal that every line matched by the pattern contains, if the pattern matches only within single lines, so that
 * other lines can be skipped. `undefined` if there is none, or it cannot be determined.
 */
export function findLineLiteral(source: string, flags: string): LineLiteral | undefined {
	if (/[^gmu]/.test(flags) || !WITHOUT_GROUPS.test(source)) return undefined;
	let best: (LineLiteral & { readonly rarity: number }) | undefined;
	let run = "";
	let leads = true;
	const endRun = (): void => {
		const { rarity } = findRarest(run);
		if (run.length >= SHORTEST && rarity > (best?.rarity ?? -1)) best = { text: run, leads, rarity };
		run = "";
		leads = false;
	};
	for (const [, token = "", quantifier = ""] of source.matchAll(TOKEN)) {
		if (/^(?:[\^$]|\\[bB])$/.test(token)) continue;
		const literal = /^(?:[^\\[.]|\\[^\p{L}\p{N}])$/u.test(token) ? token.replace(/^\\/, "") : undefined;
		if (literal !== undefined && (quantifier === "" || quantifier === "+")) run += literal;
		if (literal === undefined || quantifier !== "") endRun();
	}
	endRun();
	return best && { text: best.text, leads: best.leads };
}

/** Whether every match is certain to lie within one line. */
function isWithinLine(source: string, flags: string): boolean {
	return !flags.includes("s") && WITH_GROUPS.test(source);
}

/** The alternatives of a pattern without groups, each of which may have a literal of its own. */
export function listAlternatives(source: string): readonly string[] {
	if (source.includes("(")) return [source];
	const alternatives: string[] = [];
	let from = 0;
	for (const { 0: token, index } of source.matchAll(/\[(?:\\.|[^\]\\])*\]|\\.|\|/gsu)) {
		if (token !== "|") continue;
		alternatives.push(source.slice(from, index));
		from = index + 1;
	}
	return [...alternatives, source.slice(from)];
}

/** The characters of source code, most frequent first. */
const BY_FREQUENCY =
	" etsranoilcdupmfh_)(.g\"/,:by=vw;*CTESk{}RxA-NILO>'F`#P[]DUqM01<jB2&zHG!@W|\\VJ+%3?KY4$5689X7QZ^~";

/** How rare a character is; non-ASCII characters are the rarest. */
function rarityOf(char: string): number {
	const rank = BY_FREQUENCY.indexOf(char);
	return rank < 0 ? BY_FREQUENCY.length : rank;
}

/** The position and rarity of the rarest character of a text. */
function findRarest(text: string): { readonly at: number; readonly rarity: number } {
	let best = { at: 0, rarity: -1 };
	for (let at = 0; at < text.length; at++) {
		const rarity = rarityOf(text.charAt(at));
		if (rarity > best.rarity) best = { at, rarity };
	}
	return best;
}

type LiteralFinder = (text: string, from: number) => number;

/**
 * Like `indexOf` of a literal, but faster. `indexOf` stops at every occurrence of the first character, so this searches
 * for the literal from its rarest character on, and then compares the part before it.
 */
export function makeLiteralFinder(literal: string): LiteralFinder {
	const { at: before } = findRarest(literal);
	const rest = literal.slice(before);
	if (before === 0) return (text, from) => text.indexOf(literal, from);
	return (text, from) => {
		let found = text.indexOf(rest, from + before);
		while (found >= 0 && !text.startsWith(literal, found - before)) found = text.indexOf(rest, found + 1);
		return found < 0 ? -1 : found - before;
	};
}
