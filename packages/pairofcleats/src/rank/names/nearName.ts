import { decodePostings, IN_NAME } from "../../segment/postings.ts";
import type { StringTable } from "../../segment/stringTable.ts";
import type { LiveSegment, Snapshot } from "../../store/snapshot.ts";
import type { IndexReader } from "../../store/store.ts";
import { stemWord } from "../../tokens/wordForms.ts";
import { splitIdentifier } from "../../tokens/words.ts";

/** Shorter names are one letter away from too many others. */
const SHORTEST = 5;
/** Letters that one typing error drops, adds, changes or swaps. */
const MOST_SLIPPED = 2;

/** The declared name that a misspelt one likely stands for: it differs in one place only. Prefers the commonest. */
export function findNearName(misspelt: string, snapshot: Snapshot): string | undefined {
	const wanted = lettersOf(misspelt);
	if (wanted.length < SHORTEST) return undefined;
	const near = new Map<string, { readonly slipped: number; count: number }>();
	for (const { base, docs, names } of snapshot.segments) {
		const table = names();
		for (let local = 0; local < docs; local++) {
			if (!mayBeNear(wanted, table, local) || snapshot.alive[base + local] === 0) continue;
			const name = table.at(local);
			if (Math.abs(name.length - misspelt.length) > wanted.length / 2 || !isIdentifier(name)) continue;
			const known = near.get(name);
			const slipped = known?.slipped ?? slippedIn(wanted, lettersOf(name));
			if (slipped <= MOST_SLIPPED) near.set(name, { slipped, count: (known?.count ?? 0) + 1 });
		}
	}
	const [best] = [...near].sort(
		([a, left], [b, right]) => left.slipped - right.slipped || right.count - left.count || (a < b ? -1 : 1),
	);
	return best?.[0];
}

/** One slip leaves two letters at one end as they are, which the bytes tell before the name is decoded. */
function mayBeNear(wanted: string, table: StringTable, index: number): boolean {
	const last = wanted.length - 1;
	return (
		mayBe(table.byteAt(index, 0), table.byteAt(index, 1), wanted.charCodeAt(0), wanted.charCodeAt(1)) ||
		mayBe(table.byteAt(index, -1), table.byteAt(index, -2), wanted.charCodeAt(last), wanted.charCodeAt(last - 1))
	);
}

/** Part of a longer character may be any letter, and where a sign stands the letters are elsewhere. */
function mayBe(outer: number, inner: number, letter: number, next: number): boolean {
	if (!isLetter(outer)) return outer !== 0;
	return (outer | LOWER) === letter && (!isLetter(inner) || (inner | LOWER) === next);
}

/** The bit that makes an ASCII letter small, and leaves a digit as it is. */
const LOWER = 0x20;

function isLetter(byte: number): boolean {
	const lower = byte | LOWER;
	return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** Whether a name is an identifier and not the heading of a page. */
function isIdentifier(name: string): boolean {
	return IDENTIFIER.test(name);
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*[!?=]?$/u;

/** `maxSize` and `max_size` have the same letters. */
function lettersOf(name: string): string {
	return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The length of the stretch in which two names differ; Infinity if their lengths differ too much. */
function slippedIn(left: string, right: string): number {
	const shorter = Math.min(left.length, right.length);
	if (Math.abs(left.length - right.length) > MOST_SLIPPED) return Number.POSITIVE_INFINITY;
	let start = 0;
	while (start < shorter && left[start] === right[start]) start += 1;
	let end = 0;
	while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
	return Math.max(left.length, right.length) - start - end;
}

/** Among more equally near names, none is likely the right one. */
const MOST_ALIKE = 12;
const MOST_SHOWN = 3;
const SHORTEST_WORD = 3;

/**
 * Declared names that share the most words with an unknown name, the nearest first; none if too many are equally near.
 */
export function findWordedNames(unknown: string, snapshot: Snapshot, reader: IndexReader): string[] {
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
		.filter((word) => word.length >= SHORTEST_WORD)
		.map(stemWord);
}
