/** A hash of a text without its white space (FNV-1a), so that re-indented copies of the same code meet. */
export function textTwin(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code <= 32) continue;
		hash = Math.imul(hash ^ code, 0x01000193);
	}
	return hash >>> 0;
}
