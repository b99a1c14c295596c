/**
 * Escapes characters that people cannot see but models read, and characters that reorder the text around them. They are
 * those escaped on a terminal, except for line breaks and tabs, which a page can show.
 */
export function showHidden(text: string): string {
	return text.toWellFormed().replace(UNSEEN, (character) => {
		const digits = (character.codePointAt(0) ?? 0).toString(16);
		return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
	});
}

const UNSEEN =
	/(?![\n\t])[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Shorter words are mostly such as "the" and "is", which stand everywhere. */
const TELLING = 4;

/** Splits a text: every second piece is one of the query's words, where a word or a part of a name begins with it. */
export function splitMarked(text: string, query: string): string[] {
	const all = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
	const telling = all.filter(({ length }) => length >= TELLING);
	const words = (telling.length > 0 ? telling : all).sort((a, b) => b.length - a.length);
	if (words.length === 0) return [text];
	const pieces: string[] = [];
	let end = 0;
	for (const { 0: found, index } of text.matchAll(new RegExp(words.join("|"), "giu"))) {
		if (!beginsPart(text.slice(Math.max(0, index - 2), index), found)) continue;
		pieces.push(text.slice(end, index), found);
		end = index + found.length;
	}
	return [...pieces, text.slice(end)];
}

function beginsPart(before: string, found: string): boolean {
	if (!/[\p{L}\p{N}]$/u.test(before)) return true;
	// After an acronym, as in XMLParser, only a small letter behind the capital tells that a part begins.
	return /[^\p{Lu}]$/u.test(before) ? /^\p{Lu}/u.test(found) : /^\p{Lu}\p{Ll}/u.test(found);
}
