import { plainText } from "./plainText.ts";
import { truncateText } from "./truncate.ts";

/** Limits the size of a rendering, whatever the data. */
export type PorcelainBound = {
	readonly maxLines?: number;
	/** Limit on the whole text, in UTF-16 units. */
	readonly maxChars?: number;
	readonly maxLineChars?: number;
};

const DEFAULT_BOUND: Required<PorcelainBound> = { maxLines: 200, maxChars: 20_000, maxLineChars: 400 };

/**
 * Joins a summary line and the lines under it into one bounded text. The summary always stays; when lines must be
 * dropped, the last line says how many.
 */
export function porcelain(summary: string, lines: Iterable<string> = [], bound: PorcelainBound = {}): string {
	const { maxLines, maxChars, maxLineChars } = { ...DEFAULT_BOUND, ...bound };
	if (maxLines < 1) return "";
	const first = truncateText(plainText(summary), Math.min(maxLineChars, maxChars));
	const rest = Array.from(lines, (line) => truncateText(plainText(line), maxLineChars));
	const whole = [first, ...rest];
	if (whole.length <= maxLines && textLength(whole) <= maxChars) return whole.join("\n");

	const kept = [first];
	let used = first.length;
	for (const [index, line] of rest.entries()) {
		const omission = omissionLine(rest.length - index);
		if (kept.length + 2 > maxLines || used + 1 + line.length + 1 + omission.length > maxChars) break;
		kept.push(line);
		used += 1 + line.length;
	}
	const note = omissionLine(rest.length - kept.length + 1);
	if (kept.length < maxLines && used + 1 + note.length <= maxChars) kept.push(note);
	return kept.join("\n");
}

function omissionLine(count: number): string {
	return `… ${count} more ${count === 1 ? "line" : "lines"}`;
}

function textLength(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + line.length + 1, -1);
}
