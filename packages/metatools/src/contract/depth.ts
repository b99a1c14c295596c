/** Whether JSON text nests deeper than `maxDepth`; recursive readers would overflow the stack. */
export function isDeeper(text: string, maxDepth: number): boolean {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < text.length; at += 1) {
		const unit = text.charCodeAt(at);
		if (inString) {
			if (unit === BACKSLASH) at += 1;
			else if (unit === QUOTE) inString = false;
		} else if (unit === QUOTE) inString = true;
		else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
			depth += 1;
			if (depth > maxDepth) return true;
		} else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1;
	}
	return false;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
