import type { Edit, Span } from "./span.ts";

/** An item of a list as it is written, and what it says. */
export type WrittenItem = Span & { readonly value: unknown };

/**
 * The edit that turns a written list into `wanted`: common items at the end keep their text and what is between them; the
 * items before are replaced by the new ones. `undefined` when there are no common items.
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
