import { decodePostings } from "../segment/postings.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { isLoneLetter } from "../tokens/words.ts";

/** One byte per document: 1 if it is marked, else 0. The functions use loops, since `map` takes ten times as long. */
export type DocMarks = Uint8Array;

export function intersectMarks(a: DocMarks, b: DocMarks): DocMarks {
	const marks = new Uint8Array(a.length);
	for (let doc = 0; doc < a.length; doc++) marks[doc] = (a[doc] ?? 0) & (b[doc] ?? 0);
	return marks;
}

export function uniteMarks(a: DocMarks, b: DocMarks): DocMarks {
	const marks = new Uint8Array(a.length);
	for (let doc = 0; doc < a.length; doc++) marks[doc] = (a[doc] ?? 0) | (b[doc] ?? 0);
	return marks;
}

export function invertMarks(a: DocMarks): DocMarks {
	const marks = new Uint8Array(a.length);
	for (let doc = 0; doc < a.length; doc++) marks[doc] = 1 - (a[doc] ?? 0);
	return marks;
}

/** Marks the documents whose number is nonzero and at least `least`. */
export function markAtLeast(numbers: Float32Array | Float64Array | Uint16Array, least: number): DocMarks {
	const marks = new Uint8Array(numbers.length);
	for (let doc = 0; doc < numbers.length; doc++) {
		const number = numbers[doc] ?? 0;
		if (number !== 0 && number >= least) marks[doc] = 1;
	}
	return marks;
}

/** The first letter of the scripts without spaces. */
const FIRST = "\u0e00";

/**
 * For each document, the number of distinct letter pairs in its text that contain this letter. The index stores such
 * letters only in pairs, unless a letter stands alone.
 */
export function countLetterPairs(
	letter: string,
	{ snapshot, reader }: { readonly snapshot: Snapshot; readonly reader: IndexReader },
): Uint16Array {
	const counts = new Uint16Array(snapshot.docs);
	for (const segment of snapshot.segments) {
		for (const { term, bytes, count } of reader.termsAround(segment.id, letter, FIRST)) {
			if (!isOf(letter, term)) continue;
			const { docs, values } = decodePostings(bytes, count, segment.docs);
			// Skips terms that occur only in the path.
			for (const [index, local] of docs.entries())
				if (((values[index] ?? 0) & 0x3f) !== 0) counts[segment.base + local] = (counts[segment.base + local] ?? 0) + 1;
		}
	}
	return counts;
}

function isOf(letter: string, term: string): boolean {
	const rest = term.replace(letter, "");
	return rest === "" || isLoneLetter(rest);
}
