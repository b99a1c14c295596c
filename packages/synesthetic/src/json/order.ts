/** Order by Unicode code point; JavaScript's own `<` puts U+FFFF after the emoji. */
export function byCodePoint(left: string, right: string): number {
	const length = Math.min(left.length, right.length);
	for (let i = 0; i < length; i += 1) {
		const a = left.charCodeAt(i);
		const b = right.charCodeAt(i);
		if (a !== b) return a >= 0xd800 && b >= 0xd800 ? aboveSurrogates(a) - aboveSurrogates(b) : a - b;
	}
	return left.length - right.length;
}

// Moves surrogates, which stand for code points beyond the BMP, behind U+E000..U+FFFF.
function aboveSurrogates(unit: number): number {
	return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
