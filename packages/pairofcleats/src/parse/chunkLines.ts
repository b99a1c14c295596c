import type { Chunk } from "./chunk.ts";

/** Lines a chunk aims for; search quality is flat around this size. */
export const TARGET_LINES = 50;
/** A declaration longer than this comes in parts of about `PART_LINES`. */
const LONG_DECLARATION = 120;
const PART_LINES = 60;
/** Longest run of characters in one chunk, so that a one-line file of megabytes still gives useful pieces. */
const MAX_CHARACTERS = 16_000;
/** A piece of a long line ends this much earlier rather than inside a word. */
const LONGEST_WORD = 256;
/** Half of a character outside the basic plane counts as well, so that it stays with its other half. */
const WORD_UNIT = /[\p{L}\p{M}\p{N}\p{Cs}_$]/u;
const HAS_TEXT = /[\p{L}\p{N}]/u;
/** Lines that only close a block, by name or not: Scala's `end Name`. */
const CLOSERS = /^(?:\s|[^\p{L}\p{N}\s<]|(?:end(?:[ \t]+\w+(?=\s*$))?|fi|done|esac)\b|<\/[\w:-]+\s*>)*$/u;

export type LineRange = { readonly startLine: number; readonly endLine: number };

/** Splits a whole text into blocks of lines. */
export function chunkLines(text: string): Chunk[] {
	const lines = new LineIndex(text);
	return cutIntoBlocks(lines, { startLine: 1, endLine: lines.count });
}

/** Blocks for a range of lines, cut at blank lines near the target size; ranges without any text give none. */
export function cutIntoBlocks(lines: LineIndex, range: LineRange, target: number = TARGET_LINES): Chunk[] {
	const blocks: Chunk[] = [];
	let from = range.startLine;
	while (from <= range.endLine) {
		const to = cutLine(lines, from, range.endLine, target);
		const trimmed = trimBlankLines(lines, from, to);
		if (trimmed) blocks.push(...wideBlocks(lines, trimmed));
		from = to + 1;
	}
	return blocks;
}

/** The range without the lines at either end that have no letter or digit; `undefined` when none has. */
export function trimBlankLines(lines: LineIndex, startLine: number, endLine: number): LineRange | undefined {
	let from = startLine;
	let to = endLine;
	while (from <= to && isEmptyText(lines.lineText(from))) from += 1;
	while (to >= from && isEmptyText(lines.lineText(to))) to -= 1;
	return from <= to ? { startLine: from, endLine: to } : undefined;
}

/** Whether a text has no letter or digit, or only closes blocks. */
export function isEmptyText(text: string): boolean {
	return !HAS_TEXT.test(text) || (text.length < 200 && CLOSERS.test(text));
}

/** The chunks of a declaration: one, or several if it is long or wide. */
export function cutIntoParts(lines: LineIndex, range: LineRange): Chunk[] {
	const target = range.endLine - range.startLine >= LONG_DECLARATION ? PART_LINES : Number.POSITIVE_INFINITY;
	const parts: Chunk[] = [];
	for (let from = range.startLine; from <= range.endLine; ) {
		const to = cutLine(lines, from, range.endLine, target);
		parts.push(...wideBlocks(lines, { startLine: from, endLine: to }));
		from = to + 1;
	}
	return parts;
}

/** Last line of the piece that begins at `from`: the best blank or outdented line between half and one and a half targets. */
function cutLine(lines: LineIndex, from: number, last: number, target: number): number {
	if (last - from + 1 <= target * 1.5) return last;
	const low = from + Math.floor(target / 2);
	const high = Math.min(last - 1, from + Math.floor(target * 1.5));
	let best = from + target - 1;
	let bestIndent = Number.POSITIVE_INFINITY;
	for (let line = low; line <= high; line += 1) {
		if (lines.lineText(line).trim() !== "") continue;
		const indent = lines.indentOf(line + 1);
		const closer = Math.abs(line - from - target) < Math.abs(best - from - target);
		if (indent < bestIndent || (indent === bestIndent && closer)) {
			best = line;
			bestIndent = indent;
		}
	}
	return best;
}

/** One chunk per range, or several if its lines are very long. */
function wideBlocks(lines: LineIndex, range: LineRange): Chunk[] {
	const start = lines.startOf(range.startLine);
	const end = lines.endOf(range.endLine);
	const pieces: Chunk[] = [];
	for (let at = start; at < end; ) {
		let next = Math.min(end, at + MAX_CHARACTERS);
		if (next < end) {
			const newline = lines.text.slice(at, next).lastIndexOf("\n");
			next = newline > 0 ? at + newline + 1 : wordEnd(lines.text, next);
		}
		pieces.push({
			startLine: lines.lineAt(at),
			endLine: lines.lineAt(Math.max(at, next - 1)),
			start: at,
			end: next,
			kind: "block",
			name: "",
			qualifiedName: "",
		});
		at = next;
	}
	return pieces;
}

/** The last place before `most` that is not inside a word. */
function wordEnd(text: string, most: number): number {
	const isWord = (at: number): boolean => WORD_UNIT.test(text.charAt(at));
	for (let at = most; at > most - LONGEST_WORD; at -= 1) if (!isWord(at - 1) || !isWord(at)) return at;
	return /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
}

/** Maps offsets of a text to 1-based lines and back. A line ends after its `\n`. */
export class LineIndex {
	readonly text: string;
	readonly #starts: Int32Array;
	readonly count: number;

	constructor(text: string) {
		this.text = text;
		const starts: number[] = [0];
		for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
		this.#starts = Int32Array.from(starts);
		this.count = text.endsWith("\n") ? starts.length - 1 : starts.length;
	}

	lineAt(offset: number): number {
		let low = 0;
		let high = this.#starts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#starts[middle] ?? 0) <= offset) low = middle;
			else high = middle - 1;
		}
		return low + 1;
	}

	startOf(line: number): number {
		return this.#starts[line - 1] ?? this.text.length;
	}

	/** Offset just past the line, its newline included. */
	endOf(line: number): number {
		return this.#starts[line] ?? this.text.length;
	}

	lineText(line: number): string {
		return this.text.slice(this.startOf(line), this.endOf(line));
	}

	/** How many blank characters the line begins with; infinite for a blank line. */
	indentOf(line: number): number {
		const at = this.lineText(line).search(/\S/);
		return at < 0 ? Number.POSITIVE_INFINITY : at;
	}
}
