import { withoutTornConditions } from "./conditionals.ts";
import type { GrammarSpec } from "./specs/spec.ts";

/** The text as its grammar is to see it: of the same length, with blanks for macros that would be taken for names. */
export function blanked(text: string, { blanks = [], wrappingMacros, conditions }: GrammarSpec): string {
	const plain = blanks.reduce(
		(read, pattern) =>
			read.replace(pattern, (whole: string, kept: string) => kept + " ".repeat(whole.length - kept.length)),
		conditions ? withoutTornConditions(text) : text,
	);
	return wrappingMacros ? unwrapped(plain, wrappingMacros) : plain;
}

/** What stands in such a macro stands there as if it were not there; it ends where a brace has its indentation. */
function unwrapped(text: string, opening: RegExp): string {
	const lines = text.split("\n");
	const open: { readonly line: number; readonly close: string }[] = [];
	let found = false;
	for (const [line, written] of lines.entries()) {
		// `name: { … }` inside is no declaration but a part of the macro's own form.
		const declares = opening.test(written) && !/^\s*\w+:\s*\{/.test(lines[line + 1] ?? "");
		if (declares) open.push({ line, close: `${/^[ \t]*/.exec(written)?.[0] ?? ""}}` });
		const last = open.at(-1);
		if (!last || written !== last.close) continue;
		lines[last.line] = " ".repeat(lines[last.line]?.length ?? 0);
		lines[line] = " ".repeat(written.length);
		open.pop();
		found = true;
	}
	return found ? lines.join("\n") : text;
}
