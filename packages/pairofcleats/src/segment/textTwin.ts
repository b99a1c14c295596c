/** A hash of a stretch of text without its white space (FNV-1a), so that re-indented copies of the same code meet. */
export function textTwin(units: Uint16Array, from: number, to: number): number {
	let hash = 0x811c9dc5;
	for (let at = from; at < to; at++) {
		const code = units[at] ?? 0;
		if (code <= 32) continue;
		hash = Math.imul(hash ^ code, 0x01000193);
	}
	return hash >>> 0;
}
