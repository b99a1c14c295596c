/**
 * Compares two strings by their UTF-8 bytes, as the store does. UTF-16 order differs for characters beyond the basic
 * plane.
 */
export function compareUtf8(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	for (let at = 0; at < length; at++) {
		const x = a.charCodeAt(at);
		const y = b.charCodeAt(at);
		if (x !== y) return rank(x) - rank(y);
	}
	return a.length - b.length;
}

/** Surrogates encode characters that sort after all others. */
function rank(unit: number): number {
	return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
