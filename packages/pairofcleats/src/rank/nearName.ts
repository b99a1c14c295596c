import type { StringTable } from "../segment/stringTable.ts";
import type { Snapshot } from "../store/snapshot.ts";

/** Shorter names are one letter away from too many others. */
const SHORTEST = 5;
/** Letters that one typing error drops, adds, changes or swaps. */
const MOST_SLIPPED = 2;

/** The declared name that a misspelt one likely stands for: it differs in one place only. Prefers the commonest. */
export function nearName(misspelt: string, snapshot: Snapshot): string | undefined {
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
export function isIdentifier(name: string): boolean {
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
