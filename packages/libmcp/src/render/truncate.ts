/** At most `limit` UTF-16 units of the text; what was cut is said at its end, and no character is split. */
export function truncateText(text: string, limit: number): string {
	const room = Math.max(0, Math.floor(limit));
	if (text.length <= room) return text;
	// The count changes with the cut and its own length with the count: the longest form is reserved.
	const mark = (cut: number) => `… [${cut} more characters]`;
	const keep = room - mark(text.length).length;
	if (keep < MIN_KEPT) return `${text.slice(0, boundaryBefore(text, room - 1))}…`.slice(0, room);
	const at = boundaryBefore(text, keep);
	return `${text.slice(0, at)}${mark(text.length - at)}`;
}

// With less than this left of the text, its start is worth more than the count of what follows.
const MIN_KEPT = 8;

// Made when first needed: it brings in the Unicode tables, which most processes never use.
let segmenter: Intl.Segmenter | undefined;

/** The last place at or before `index` where one character as people see it ends. */
function boundaryBefore(text: string, index: number): number {
	if (index <= 0) return 0;
	// No character is looked for further back than this: flags and families of emoji are far shorter.
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

/** For a run of joined marks longer than any real character: at least no surrogate pair is split. */
function surrogateBoundary(text: string, index: number): number {
	return /[\ud800-\udbff]/.test(text.charAt(index - 1)) ? index - 1 : index;
}
