/** Order by Unicode code point; JavaScript's own `<` puts U+FFFF after the emoji. */
export function byCodePoint(left: string, right: string): number {
	const length = Math.min(left.length, right.length);
	for (let i = 0; i < length; i += 1) {
		const a = left.charCodeAt(i);
		const b = right.charCodeAt(i);
		if (a !== b) return a >= SURROGATES && b >= SURROGATES ? compareAt(left, right, i) : a - b;
	}
	return left.length - right.length;
}

const SURROGATES = 0xd800;

// The first units to differ may be second halves of pairs, and a half that stands alone is a code point of its own.
function compareAt(left: string, right: string, index: number): number {
	const isSecondHalf = (text: string) => (text.codePointAt(index - 1) ?? 0) > 0xffff;
	const at = index > 0 && (isSecondHalf(left) || isSecondHalf(right)) ? index - 1 : index;
	return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
}
