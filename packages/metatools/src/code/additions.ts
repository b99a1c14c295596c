import type { Insertion } from "./stackPlace.ts";

/** Text to add to the caller's code, at an offset; lines count from 1, columns from 0, as in acorn. */
export type Addition = { readonly at: number; readonly line: number; readonly column: number; readonly text: string };

/** The code with the additions, and where the result has them. */
export function withAdditions(
	code: string,
	additions: readonly Addition[],
): { readonly script: string; readonly insertions: readonly Insertion[] } {
	const insertions: Insertion[] = [];
	const added = { line: 0, length: 0 };
	let script = "";
	let from = 0;
	for (const { at, line, column, text } of additions.toSorted((a, b) => a.at - b.at)) {
		script += code.slice(from, at) + text;
		from = at;
		if (line !== added.line) Object.assign(added, { line, length: 0 });
		insertions.push({ line, column: column + 1 + added.length, length: text.length });
		added.length += text.length;
	}
	return { script: script + code.slice(from), insertions };
}
