import { decodePostings } from "../segment/postings.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { isLoneLetter } from "../tokens/words.ts";

/** The first letter of the scripts without spaces. */
const FIRST = "\u0e00";

/**
 * For each document, the number of distinct letter pairs in its text that contain this letter. The index stores such
 * letters only in pairs, unless a letter stands alone.
 */
export function pairsWith(
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
