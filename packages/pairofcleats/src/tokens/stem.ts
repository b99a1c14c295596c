/**
 * Folds the inflections that separate a question from the code that answers it: plurals, -ing, -ed. Deliberately light:
 * `caching` and `cached` match, `general` and `generic` do not.
 */
export function stem(word: string): string {
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
