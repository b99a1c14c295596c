import type { SnapshotFile } from "../store/snapshot.ts";

/** A chunk of one line that is longer than this is a piece of a line that may have many. */
const LONG_LINE = 10_000;

/** A chunk that has a part of a very long line: its number in the file, and its place in the text. */
export type Piece = { readonly number: number; readonly start: number; readonly end: number };

/** The chunks that share a very long line, in the order of the text. Their lines do not tell which of them matched. */
export function listLongLinePieces({ segment: { columns }, firstDoc, docs, bytes }: SnapshotFile): Piece[] {
	if (bytes < LONG_LINE) return [];
	const { start, end, startLine, endLine } = columns;
	const long = new Set<number>();
	for (let doc = firstDoc; doc < firstDoc + docs; doc++) {
		const isLong = (end[doc] ?? 0) - (start[doc] ?? 0) > LONG_LINE;
		if (isLong && startLine[doc] === endLine[doc]) long.add(startLine[doc] ?? 0);
	}
	if (long.size === 0) return [];
	const pieces: Piece[] = [];
	for (let doc = firstDoc; doc < firstDoc + docs; doc++) {
		// A comment is stored without its place.
		if (end[doc] === 0) continue;
		if (long.has(startLine[doc] ?? 0) || long.has(endLine[doc] ?? 0))
			pieces.push({ number: doc - firstDoc, start: start[doc] ?? 0, end: end[doc] ?? 0 });
	}
	return pieces.sort((a, b) => a.start - b.start);
}

/**
 * The pieces that a match touches, as pairs: the piece's number and where the match begins in it. The pattern must be
 * global; `pieces` is a flat list of number, start and end.
 */
export function findTouchedPieces(text: string, pattern: RegExp, pieces: Int32Array): number[] {
	const touched: number[] = [];
	let from = 0;
	let to = 0;
	for (let at = 0; at < pieces.length; at += 3) {
		const [number = 0, start = 0, end = 0] = pieces.subarray(at, at + 3);
		if (to <= start) {
			pattern.lastIndex = start;
			const match = pattern.exec(text);
			if (!match) break;
			from = match.index;
			to = from + Math.max(1, match[0].length);
		}
		if (from < end) touched.push(number, Math.max(from, start));
	}
	return touched;
}
