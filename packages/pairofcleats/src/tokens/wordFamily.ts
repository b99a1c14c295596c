/** What a doer, an act or a result of the same verb ends in, once stemmed: parse and parser, validate and validation. */
const ENDINGS = ["er", "or", "ion", "ation", "ment"] as const;
/** Shorter beginnings are shared by chance. */
const SHORTEST_ROOT = 4;

/** Stems that likely speak of the same thing as a stem does, itself left out; some of them are no words. */
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
