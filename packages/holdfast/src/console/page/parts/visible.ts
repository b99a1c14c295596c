/**
 * The text with escapes for what nobody sees and a model reads, or what turns the text around it: the same characters
 * that are escaped on a terminal, but for the breaks and tabs that a page shows as they are.
 */
export function visible(text: string): string {
	return text.toWellFormed().replace(UNSEEN, (character) => {
		const digits = (character.codePointAt(0) ?? 0).toString(16);
		return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
	});
}

const UNSEEN =
	/(?![\n\t])[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
