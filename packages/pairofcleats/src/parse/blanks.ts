import { withoutTornConditions } from "./conditionals.ts";
import { withoutHereDocuments } from "./hereDocuments.ts";
import { withoutBlank } from "./specs/blank.ts";
import { nameLike, replaced } from "./specs/readAs.ts";
import type { GrammarSpec } from "./specs/spec.ts";

type WrappingMacros = GrammarSpec["wrappingMacros"] & object;

const MOST_ATTRIBUTE_LINES = 100;

/** The text for its grammar: of the same length, with blanks for macros that the grammar would read as names. */
export function blanked(text: string, { blanks = [], wrappingMacros, conditions }: GrammarSpec): string {
	const plain = blanks.reduce(withoutBlank, conditions ? withoutTornConditions(text) : text);
	return wrappingMacros ? unwrapped(plain, wrappingMacros) : plain;
}

/** The text to parse instead: the same, except for parts that its grammar would misread. */
export function parsedText(
	text: string,
	{ hereDocuments, hiddenDecorators, readAs = [], titles }: GrammarSpec,
): string {
	if (titles) return text.replace(titles, (_, blanks: string, quote, title) => `${blanks}${nameLike(quote + title)}()`);
	if (hereDocuments) return withoutHereDocuments(text);
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
