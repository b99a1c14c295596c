/** A piece of text that was added to the caller's code; line and column of the script count from 1. */
export type Insertion = { readonly line: number; readonly column: number; readonly length: number };

/** A place in the caller's code; both count from 1. */
export type CodePlace = { readonly line?: number; readonly column?: number };

// Matches whole frame lines only, since the error message above the frames may hold anything.
const FRAME = /^ +at .*?code\.js:(\d{1,7}):(\d{1,7})/m;

/** Finds the innermost frame of the caller's code in a stack, and corrects its column for inserted text. */
export function placeInStack(stack: unknown, insertions: readonly Insertion[]): CodePlace {
	const found = typeof stack === "string" ? FRAME.exec(stack.slice(0, 10_000)) : null;
	if (found === null) return {};
	const line = Number(found[1]);
	const column = insertions
		.filter((insertion) => insertion.line === line)
		// Last insertion first, as its own column includes the earlier ones.
		.reduceRight((at, { column: begin, length }) => (at < begin ? at : Math.max(begin, at - length)), Number(found[2]));
	return { line, column };
}
