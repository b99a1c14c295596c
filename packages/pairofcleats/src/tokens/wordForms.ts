/**
 * Folds the inflections that separate a question from the code that answers it: plurals, -ing, -ed. Deliberately light:
 * `caching` and `cached` match, `general` and `generic` do not.
 */
export function stemWord(word: string): string {
	if (word.length < 4) return word;
	return finish(withoutSuffix(withoutPlural(word)));
}

function withoutPlural(word: string): string {
	if (!word.endsWith("s")) return word;
	if (word.endsWith("ies") && word.length > 4) return word.slice(0, -2);
	if (word.endsWith("sses") || word.endsWith("xes") || word.endsWith("ches") || word.endsWith("shes")) {
		return word.slice(0, -2);
	}
	if (word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word;
	return word.slice(0, -1);
}

function withoutSuffix(word: string): string {
	if (word.endsWith("ing") && word.length > 5 && hasVowel(word, word.length - 3)) return word.slice(0, -3);
	if (word.endsWith("ed") && word.length > 4 && hasVowel(word, word.length - 2)) return word.slice(0, -2);
	return word.endsWith("e") && word.length > 4 ? word.slice(0, -1) : word;
}

/** A doubled consonant is single, and `y` and `ie` are one ending: mapped, map; query, queries; cookie, cookies. */
function finish(word: string): string {
	const last = word.at(-1) ?? "";
	if (word.length > 3 && last === word.at(-2) && "bdgmnprt".includes(last)) return word.slice(0, -1);
	return last === "y" && word.length > 3 && !"aeou".includes(word.at(-2) ?? "") ? `${word.slice(0, -1)}i` : word;
}

function hasVowel(word: string, end: number): boolean {
	for (let index = 0; index < end; index++) if ("aeiouy".includes(word[index] ?? "")) return true;
	return false;
}

/** Stemmed endings of nouns made from a verb: parse and parser, validate and validation. */
const ENDINGS = ["er", "or", "ion", "ation", "ment"] as const;
/** Shorter roots match by chance. */
const SHORTEST_ROOT = 4;

/** Other stems of the same word family. Some of them are not words. */
export function listWordFamily(stem: string): string[] {
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

/** Words of a question that say nothing about its subject. Ranking ignores them; the index has them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
	`a an and are as at be been but by can could do does done for from had has have how i if in into is it its
	me my of on or our should so such than that the their them then there these they this those to up us was we were
	what when where which while who why will with would you your about also any each etc here just like most
	not only other over same some such too very via find show code works work used uses using implementation implemented
	implement implements`
		.split(/\s+/)
		.filter((word) => word !== ""),
);
