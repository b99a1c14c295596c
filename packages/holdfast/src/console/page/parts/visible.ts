/**
 * Escapes characters that people cannot see but models read, and characters that reorder the text around them. They are
 * those escaped on a terminal, except for line breaks and tabs, which a page can show.
 */
export function visible(text: string): string {
	return text.toWellFormed().replace(UNSEEN, (character) => {
		const digits = (character.codePointAt(0) ?? 0).toString(16);
		return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
	});
}

const UNSEEN =
	/(?![\n\t])[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
