import type { Edit, Span } from "./span.ts";

/** An item of a list as it is written, and what it says. */
export type WrittenItem = Span & { readonly value: unknown };

/**
 * How the words of a written list become `wanted`: those that stay at its end stay as they are written, with whatever
 * stands between them; those before are taken out and the new ones put there. `undefined` where none stays.
 */
export function listEdit(
	items: readonly WrittenItem[],
	wanted: readonly string[],
	write: (word: string) => string,
): Edit | undefined {
	let kept = 0;
	while (kept < Math.min(items.length, wanted.length) && String(items.at(-1 - kept)?.value) === wanted.at(-1 - kept))
		kept++;
	const [first, stays] = [items[0], items[items.length - kept]];
	if (first === undefined || stays === undefined) return undefined;
	const fresh = wanted.slice(0, wanted.length - kept).map(write);
	return { start: first.start, end: stays.start, says: fresh.join("") };
}
