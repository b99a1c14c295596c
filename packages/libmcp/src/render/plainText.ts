/** Text that is safe in one line of porcelain: control characters, line separators and direction marks become escapes. */
export function plainText(text: string): string {
	return text.toWellFormed().replace(UNSAFE, escapeCharacter);
}

// Control characters, line and paragraph separators, and invisible characters that can hide or reorder text: direction
// marks, shapeless joiners, and tag characters, which can spell sentences that a model reads and nobody sees. U+200C,
// U+200D and U+FE0F stay, because emoji and some scripts need them.
const UNSAFE =
	/[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
	const short = SHORT[character];
	if (short !== undefined) return short;
	const code = character.codePointAt(0) ?? 0;
	const digits = code.toString(16);
	if (code > 0xffff) return `\\u{${digits}}`;
	return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
