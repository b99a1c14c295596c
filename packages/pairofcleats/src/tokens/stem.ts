/**
 * Folds the inflections that separate a question from the code that answers it: plurals, -ing, -ed.
 * Deliberately light: `caching` and `cached` meet, `general` and `generate` do not.
 */
export function stem(word: string): string {
	if (word.length < 4) return word;
	return undouble(withoutSuffix(withoutPlural(word)));
}

function withoutPlural(word: string): string {
	if (!word.endsWith("s")) return word;
	if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
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

function undouble(word: string): string {
	const last = word.at(-1);
	return word.length > 3 && last === word.at(-2) && last !== undefined && "bdgmnprt".includes(last)
		? word.slice(0, -1)
		: word;
}

function hasVowel(word: string, end: number): boolean {
	for (let index = 0; index < end; index++) if ("aeiouy".includes(word[index] ?? "")) return true;
	return false;
}
