import type { SegmentKernel } from "./segmentKernel.ts";
import type { TrigramList } from "./trigramBlocks.ts";
import { TRIGRAM_COUNT } from "./trigrams.ts";

/** Fewer (trigram, file) pairs than this are sorted directly. */
const FEW = 50_000;
/** Files of a segment are numbered below this. */
const FILE_LIMIT = 1 << 16;

/**
 * The files of each trigram, in ascending order of trigram. A list is valid until the next one is produced, and no file
 * may be added in the meantime.
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

/** For a single edited file, a table of all trigrams would cost more than everything else. */
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
