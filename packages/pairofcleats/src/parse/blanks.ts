import { blankTornConditions } from "./conditionals.ts";
import { dropBlank, nameLike, replaced } from "./specs/readAs.ts";
import type { GrammarSpec } from "./specs/spec.ts";

type WrappingMacros = GrammarSpec["wrappingMacros"] & object;

const MOST_ATTRIBUTE_LINES = 100;

/** The text for its grammar: of the same length, with blanks for macros that the grammar would read as names. */
export function blankOut(text: string, { blanks = [], wrappingMacros, conditions }: GrammarSpec): string {
	const plain = blanks.reduce(dropBlank, conditions ? blankTornConditions(text) : text);
	return wrappingMacros ? unwrapped(plain, wrappingMacros) : plain;
}

/** The text to parse instead: the same, except for parts that its grammar would misread. */
export function parsedText(
	text: string,
	{ hereDocuments, hiddenDecorators, readAs = [], titles }: GrammarSpec,
): string {
	if (titles) return text.replace(titles, (_, blanks: string, quote, title) => `${blanks}${nameLike(quote + title)}()`);
	if (hereDocuments) return blankHereDocuments(text);
	const known = readAs.reduce(replaced, text);
	if (!hiddenDecorators) return known;
	// A declaration keyword alone on its line cannot be part of an expression, unless it is a name elsewhere.
	return known.replace(hiddenDecorators, (_, first: string, others: string, words: string) => {
		const hidden = `${first}${" ".repeat(others.length - 1)}\n`;
		return words === "" ? hidden : `${hidden}${words.slice(0, -1)}\n`;
	});
}

/** Blanks such a macro but keeps the code in it. The macro ends at the brace with its indentation. */
function unwrapped(text: string, macros: WrappingMacros): string {
	const lines = text.split("\n");
	const open: { readonly line: number; readonly brace: number; readonly close: string }[] = [];
	let found = false;
	for (const [line, written] of lines.entries()) {
		const brace = macros.opening.test(written) ? braceLine(lines, line) : -1;
		if (brace >= 0 && declares(lines, brace + 1, macros))
			open.push({ line, brace, close: `${/^[ \t]*/.exec(written)?.[0] ?? ""}}` });
		const last = open.at(-1);
		if (!last || written.trimEnd() !== last.close) continue;
		for (const at of [last.line, last.brace, line]) lines[at] = " ".repeat(lines[at]?.length ?? 0);
		open.pop();
		found = true;
	}
	return found ? lines.join("\n") : text;
}

/** The line with the opening brace, this one or the next; -1 if neither has it. */
function braceLine(lines: readonly string[], line: number): number {
	return [line, line + 1].find((at) => /\{\s*$/.test(lines[at] ?? "")) ?? -1;
}

/** Whether a macro's first line of code is a declaration; comments and attributes may come before it. */
function declares(lines: readonly string[], from: number, { declaration }: WrappingMacros): boolean {
	let depth = 0;
	let left = MOST_ATTRIBUTE_LINES;
	for (let line = from; line < lines.length && left > 0; line += 1) {
		const written = lines[line] ?? "";
		if (/^\s*(?:\/\/|\/\*|\*|$)/.test(written)) continue;
		if (depth <= 0 && !/^\s*#!?\[/.test(written)) return declaration.test(written);
		depth += written.split("[").length - written.split("]").length;
		left -= 1;
	}
	return false;
}

const MARK = /<<~?(["']?)([A-Za-z_]\w*)\1/;
const CLOSING = /^\s*([A-Za-z_]\w*)\r?$/;

/**
 * Replaces each here-document (`print <<EOT`) with a string for its mark and blanks for its lines. Keeps the length.
 */
function blankHereDocuments(text: string): string {
	if (!text.includes("<<")) return text;
	const lines = text.split("\n");
	const closings = closingLines(lines);
	for (let line = 0; line < lines.length; line += 1) {
		const written = lines[line] ?? "";
		const mark = MARK.exec(written);
		const below = mark && closings.get(mark[2] ?? "");
		if (!mark || !below) continue;
		while ((below.at(-1) ?? lines.length) <= line) below.pop();
		const end = below.at(-1);
		if (end === undefined) continue;
		const string = `"${"_".repeat(mark[0].length - 2)}"`;
		lines[line] = written.slice(0, mark.index) + string + written.slice(mark.index + mark[0].length);
		while (line < end) {
			line += 1;
			lines[line] = " ".repeat(lines[line]?.length ?? 0);
		}
	}
	return lines.join("\n");
}

/** The lines that could close a here-document, by name, in reverse order. */
function closingLines(lines: readonly string[]): Map<string, number[]> {
	const closings = new Map<string, number[]>();
	for (let line = lines.length - 1; line > 0; line -= 1) {
		const name = CLOSING.exec(lines[line] ?? "")?.[1];
		if (name === undefined) continue;
		const known = closings.get(name);
		if (known) known.push(line);
		else closings.set(name, [line]);
	}
	return closings;
}
