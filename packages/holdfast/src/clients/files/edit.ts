/** A part of a text. */
export type Span = { readonly start: number; readonly end: number };

/** A replacement for a part of a text. */
export type Edit = Span & { readonly says: string };

export function applyEdit(text: string, { start, end, says }: Edit): string {
	return `${text.slice(0, start)}${says}${text.slice(end)}`;
}

/** An item of a list: its place in the text and its value. */
type WrittenItem = Span & { readonly value: unknown };

/**
 * The edit that turns a written list into `wanted`. Common items at the end keep their text and the text between them;
 * the items before are replaced. `undefined` if there are no common items.
 */
export function planListEdit(
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
