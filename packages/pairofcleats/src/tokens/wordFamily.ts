/** Stemmed endings of nouns made from a verb: parse and parser, validate and validation. */
const ENDINGS = ["er", "or", "ion", "ation", "ment"] as const;
/** Shorter roots match by chance. */
const SHORTEST_ROOT = 4;

/** Other stems of the same word family. Some of them are not words. */
export function wordFamily(stem: string): string[] {
	const roots = ENDINGS.filter((end) => stem.endsWith(end)).map((end) => stem.slice(0, -end.length));
	const family = new Set<string>();
	for (const root of roots.length === 0 ? [stem] : roots) {
		if (root.length < SHORTEST_ROOT) continue;
		family.add(root);
		for (const end of ENDINGS) family.add(root + end);
	}
	family.delete(stem);
	return [...family];
}
