import type { SegmentKernel } from "./segmentKernel.ts";
import type { TrigramList } from "./trigramBlocks.ts";
import { TRIGRAM_COUNT } from "./trigrams.ts";

/** Up to this many pairs of a trigram and a file are sorted directly. */
const FEW = 50_000;
/** Files of a segment are numbered below this. */
const FILE_LIMIT = 1 << 16;

/**
 * The files of each trigram that occurs, in ascending order. A list is valid until the next one, and no file may be
 * added meanwhile.
 */
export function* trigramLists(kernel: SegmentKernel): Generator<TrigramList> {
	const length = kernel.exports.trigramCount();
	if (length < FEW) {
		yield* fewLists(kernel, length);
		return;
	}
	kernel.exports.sortTrigrams();
	const starts = kernel.numbers(kernel.exports.trigramStartsAt(), TRIGRAM_COUNT + 1);
	const files = new Uint16Array(starts.buffer, kernel.exports.trigramFilesAt(), length);
	for (let trigram = 0; trigram < TRIGRAM_COUNT; trigram++) {
		const from = starts[trigram] ?? 0;
		const to = starts[trigram + 1] ?? 0;
		if (from < to) yield { trigram, files: files.subarray(from, to) };
	}
}

/** Sorts the pairs directly, because a table of all trigrams would be most of the cost of one edited file. */
function* fewLists(kernel: SegmentKernel, length: number): Generator<TrigramList> {
	const keys = kernel.numbers(kernel.exports.trigramsAt(), length);
	const pairs = new Float64Array(length);
	for (let file = 0, index = 0; index < length; file++) {
		for (const end = kernel.exports.trigramEnd(file); index < end; index++)
			pairs[index] = (keys[index] ?? 0) * FILE_LIMIT + file;
	}
	pairs.sort();
	const files = Uint16Array.from(pairs, (pair) => pair % FILE_LIMIT);
	for (let from = 0, to = 0; from < pairs.length; from = to) {
		const trigram = Math.floor((pairs[from] ?? 0) / FILE_LIMIT);
		while (to < pairs.length && Math.floor((pairs[to] ?? 0) / FILE_LIMIT) === trigram) to += 1;
		yield { trigram, files: files.subarray(from, to) };
	}
}
