/** A piece of text that was added to the caller's code; line and column of the script count from 1. */
export type Insertion = { readonly line: number; readonly column: number; readonly length: number };

/** A place in the caller's code; both count from 1. */
export type CodePlace = { readonly line?: number; readonly column?: number };

// Matches whole frame lines only, since the error message above the frames may hold anything.
const FRAME = /^ +at .*?code\.js:(\d{1,7}):(\d{1,7})/m;

/** Finds the innermost frame of the caller's code in a stack, and corrects its column for inserted text. */
export function findPlaceInStack(stack: unknown, insertions: readonly Insertion[]): CodePlace {
	const found = typeof stack === "string" ? FRAME.exec(stack.slice(0, 10_000)) : null;
	if (found === null) return {};
	const line = Number(found[1]);
	const column = insertions
		.filter((insertion) => insertion.line === line)
		// Last insertion first, as its own column includes the earlier ones.
		.reduceRight((at, { column: begin, length }) => (at < begin ? at : Math.max(begin, at - length)), Number(found[2]));
	return { line, column };
}

/** Text to add to the caller's code, at an offset; lines count from 1, columns from 0, as in acorn. */
export type Addition = { readonly at: number; readonly line: number; readonly column: number; readonly text: string };

/** The code with the additions, and where the result has them. */
export function insertAdditions(
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
