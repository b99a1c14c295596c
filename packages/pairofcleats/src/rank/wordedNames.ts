import { decodePostings, IN_NAME } from "../segment/postings.ts";
import type { LiveSegment, Snapshot } from "../store/snapshot.ts";
import type { IndexReader } from "../store/store.ts";
import { stemWord } from "../tokens/wordForms.ts";
import { splitIdentifier } from "../tokens/words.ts";
import { isIdentifier } from "./nearName.ts";

/** Among more equally near names, none is likely the right one. */
const MOST_ALIKE = 12;
const MOST_SHOWN = 3;
const SHORTEST = 3;

/**
 * Declared names that share the most words with an unknown name, the nearest first; none if too many are equally near.
 */
export function wordedNames(unknown: string, snapshot: Snapshot, reader: IndexReader): string[] {
	const wanted = new Set(wordsIn(unknown));
	const found = new Map<string, { readonly shared: number; readonly others: number; count: number } | undefined>();
	let most = 1;
	for (const segment of snapshot.segments) {
		const table = segment.names();
		for (const local of namedWith(wanted, segment, reader)) {
			if (snapshot.alive[segment.base + local] === 0) continue;
			const name = table.at(local);
			const known = found.get(name);
			if (known) known.count += 1;
			if (found.has(name)) continue;
			const words = isIdentifier(name) ? new Set(wordsIn(name)) : NONE;
			const shared = [...words].filter((word) => wanted.has(word)).length;
			most = Math.max(most, shared);
			found.set(name, shared === 0 ? undefined : { shared, others: words.size - shared, count: 1 });
		}
	}
	const nearest = [...found].flatMap(([name, one]) => (one?.shared === most ? [{ name, ...one }] : []));
	if (nearest.length > MOST_ALIKE) return [];
	return nearest
		.sort((a, b) => a.others - b.others || b.count - a.count || (a.name < b.name ? -1 : 1))
		.slice(0, MOST_SHOWN)
		.map(({ name }) => name);
}

const NONE: ReadonlySet<string> = new Set();

/** The documents of a segment with one of these words in their name, as the index tells. */
function namedWith(words: ReadonlySet<string>, { id, docs }: LiveSegment, reader: IndexReader): Set<number> {
	const named = new Set<number>();
	for (const word of words) {
		const row = reader.postings(id, word);
		if (!row) continue;
		const postings = decodePostings(row.bytes, row.count, docs);
		for (let at = 0; at < row.count; at++) if ((postings.values[at] ?? 0) & IN_NAME) named.add(postings.docs[at] ?? 0);
	}
	return named;
}

function wordsIn(name: string): string[] {
	return splitIdentifier(name)
		.filter((word) => word.length >= SHORTEST)
		.map(stemWord);
}
