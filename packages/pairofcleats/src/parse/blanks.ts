import { withoutTornConditions } from "./conditionals.ts";
import type { GrammarSpec } from "./specs/spec.ts";

type WrappingMacros = GrammarSpec["wrappingMacros"] & object;

/** The text as its grammar is to see it: of the same length, with blanks for macros that would be taken for names. */
export function blanked(text: string, { blanks = [], wrappingMacros, conditions }: GrammarSpec): string {
	const plain = blanks.reduce(
		(read, pattern) =>
			read.replace(pattern, (whole: string, kept: string) => kept + " ".repeat(whole.length - kept.length)),
		conditions ? withoutTornConditions(text) : text,
	);
	return wrappingMacros ? unwrapped(plain, wrappingMacros) : plain;
}

/** What is parsed in place of such a text: the same but for what its grammar takes for something else. */
export function parsedText(text: string, { hiddenDecorators, separators, titles }: GrammarSpec): string {
	if (titles) return text.replace(titles, (_, blanks: string, quote, title) => `${blanks}${nameLike(quote + title)}()`);
	const separated = separators ? separators.at.reduce((read, at) => read.replace(at, separators.mark), text) : text;
	if (!hiddenDecorators) return separated;
	// A declaration's own word on a line of its own cannot be one of an expression.
	return separated.replace(
		hiddenDecorators,
		(_, first: string, others: string, words: string) =>
			`${first}${" ".repeat(others.length - 1)}\n${words.slice(0, -1)}\n`,
	);
}

function nameLike(title: string): string {
	return "_".repeat(title.length);
}

/** What stands in such a macro stands there as if it were not there; it ends where a brace has its indentation. */
function unwrapped(text: string, macros: WrappingMacros): string {
	const lines = text.split("\n");
	const open: { readonly line: number; readonly close: string }[] = [];
	let found = false;
	for (const [line, written] of lines.entries()) {
		if (macros.opening.test(written) && declares(lines, line + 1, macros))
			open.push({ line, close: `${/^[ \t]*/.exec(written)?.[0] ?? ""}}` });
		const last = open.at(-1);
		if (!last || written !== last.close) continue;
		lines[last.line] = " ".repeat(lines[last.line]?.length ?? 0);
		lines[line] = " ".repeat(written.length);
		open.pop();
		found = true;
	}
	return found ? lines.join("\n") : text;
}

/** Whether a macro's first line of code is a declaration; remarks and attributes may stand before it. */
function declares(lines: readonly string[], from: number, { declaration }: WrappingMacros): boolean {
	for (let line = from; line < lines.length; line += 1) {
		const written = lines[line] ?? "";
		if (!/^\s*(?:\/\/|\/\*|\*|#!?\[|[)\]]|$)/.test(written)) return declaration.test(written);
	}
	return false;
}
