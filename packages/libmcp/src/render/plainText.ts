/** Text that is safe in one line of porcelain: control characters, line separators and direction marks become escapes. */
export function plainText(text: string): string {
	return text.toWellFormed().replace(UNSAFE, escapeCharacter);
}

// Controls, line and paragraph separators, bidirectional overrides and isolates, and invisible joiners used to hide text.
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
	const short = SHORT[character];
	if (short !== undefined) return short;
	const code = character.charCodeAt(0);
	return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
