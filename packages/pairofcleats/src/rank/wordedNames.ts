import type { Snapshot } from "../store/snapshot.ts";
import { splitIdentifier } from "../tokens/splitIdentifier.ts";
import { stem } from "../tokens/stem.ts";
import { isIdentifier } from "./nearName.ts";

/** Among more equally near names, none is likely the right one. */
const MOST_ALIKE = 12;
const MOST_SHOWN = 3;
/** A name is split into words only if it has this many first letters of a wanted word. */
const START = 3;

/**
 * Declared names that share the most words with an unknown name, the nearest first; none if too many are equally near.
 */
export function wordedNames(unknown: string, snapshot: Snapshot): string[] {
	const wanted = new Set(wordsIn(unknown));
	const starts = [...wanted].map((word) => word.slice(0, START));
	const found = new Map<string, { readonly shared: number; readonly others: number; count: number } | undefined>();
	let most = 1;
	for (const { base, docs, names } of snapshot.segments) {
		const table = names();
		for (let local = 0; local < docs; local++) {
			if (snapshot.alive[base + local] === 0) continue;
			const name = table.at(local);
			const known = found.get(name);
			if (known) known.count += 1;
			if (found.has(name)) continue;
			const words = mayShare(name, starts) ? new Set(wordsIn(name)) : NONE;
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

function wordsIn(name: string): string[] {
	return splitIdentifier(name)
		.filter((word) => word.length >= START)
		.map(stem);
}

function mayShare(name: string, starts: readonly string[]): boolean {
	if (!isIdentifier(name)) return false;
	const letters = name.toLowerCase();
	return starts.some((start) => letters.includes(start));
}
