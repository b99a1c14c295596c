/** A part of a text. */
export type Span = { readonly start: number; readonly end: number };

/** A replacement for a part of a text. */
export type Edit = Span & { readonly says: string };

export function edited(text: string, { start, end, says }: Edit): string {
	return `${text.slice(0, start)}${says}${text.slice(end)}`;
}
