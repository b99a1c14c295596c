/** Orders by Unicode code point; JavaScript's `<` orders by UTF-16 unit and puts U+FFFF after emoji. */
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

// Second halves of surrogate pairs are compared with their first halves. A lone half counts as a code point.
function compareAt(left: string, right: string, index: number): number {
	const isSecondHalf = (text: string) => (text.codePointAt(index - 1) ?? 0) > 0xffff;
	const at = index > 0 && (isSecondHalf(left) || isSecondHalf(right)) ? index - 1 : index;
	return (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
}
