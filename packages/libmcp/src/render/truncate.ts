/** At most `limit` UTF-16 units of the text; the end says how much was cut, and no character is split. */
export function truncateText(text: string, limit: number): string {
	const room = Math.max(0, Math.floor(limit));
	if (text.length <= room) return text;
	// The length of the mark depends on the count, and the count on the cut, so reserve space for the longest mark.
	const mark = (cut: number) => `… [${cut} more characters]`;
	const keep = room - mark(text.length).length;
	if (keep < MIN_KEPT) return `${text.slice(0, boundaryBefore(text, room - 1))}…`.slice(0, room);
	const at = boundaryBefore(text, keep);
	return `${text.slice(0, at)}${mark(text.length - at)}`;
}

// If less text than this would be left, show its start instead of the count.
const MIN_KEPT = 8;

// Created on first use, because it loads the Unicode tables, which most processes never need.
let segmenter: Intl.Segmenter | undefined;

/** The last boundary between user-visible characters at or before `index`. */
function boundaryBefore(text: string, index: number): number {
	if (index <= 0) return 0;
	// Look back no further than this: even flags and emoji families are far shorter.
	const from = Math.max(0, index - 64);
	let boundary = from;
	segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
	for (const { index: start, segment } of segmenter.segment(text.slice(from, index + 64))) {
		const end = from + start + segment.length;
		if (end > index) break;
		boundary = end;
	}
	return boundary > from || from === 0 ? boundary : surrogateBoundary(text, index);
}

/** For a run of joined marks longer than any real character, at least split no surrogate pair. */
function surrogateBoundary(text: string, index: number): number {
	return /[\ud800-\udbff]/.test(text.charAt(index - 1)) ? index - 1 : index;
}
