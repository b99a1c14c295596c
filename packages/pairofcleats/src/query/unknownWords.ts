import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stemWord } from "../tokens/wordForms.ts";
import { splitIdentifier } from "../tokens/words.ts";

type Reading = {
	/** Run-together words of the query → the dictionary words they consist of. */
	readonly split: ReadonlyMap<string, readonly string[]>;
	/** Misspelt words → a suggestion that occurs in the index. */
	readonly suggestions: ReadonlyMap<string, string>;
};

const PLAIN = /^[a-z]{4,32}$/;
const MOST_WORDS = 8;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Splits or corrects words that are not in the index, using a dictionary. `count` returns the number of live
 * chunks with a term.
 */
export function readUnknownWords(
	words: readonly string[],
	dictionary: Dictionary,
	count: (term: string) => number,
): Reading {
	const split = new Map<string, readonly string[]>();
	const suggestions = new Map<string, string>();
	const unknown = words.filter((word) => PLAIN.test(word) && splitIdentifier(word).length === 1);
	for (const word of [...new Set(unknown)].slice(0, MOST_WORDS)) {
		if (count(stemWord(word)) > 0) continue;
		const parts = dictionary.has(word) ? undefined : takeApart(word, dictionary, count);
		if (parts !== undefined) split.set(word, parts);
		// Only if the index does not contain it as a whole identifier either.
		else if (count(word) === 0) {
			const suggestion = nearest(word, dictionary, count);
			if (suggestion !== undefined) suggestions.set(word, suggestion);
		}
	}
	return { split, suggestions };
}

/** The cheapest split of a word into dictionary words; words in the index cost less. */
function takeApart(
	word: string,
	dictionary: Dictionary,
	count: (term: string) => number,
): readonly string[] | undefined {
	type Way = { readonly cost: number; readonly parts: readonly string[] };
	const ways: (Way | undefined)[] = [{ cost: 0, parts: [] }];
	for (let end = 2; end <= word.length; end++) {
		for (let start = 0; start <= end - 2; start++) {
			const before = ways[start];
			const part = word.slice(start, end);
			if (before === undefined || !dictionary.has(part)) continue;
			const known = count(stemWord(part)) > 0;
			// Almost any two letters are a word, so only those in the index count.
			if (part.length === 2 && !known) continue;
			const cost = before.cost + (known ? (part.length === 2 ? 2 : 1) : 3);
			if (cost < (ways[end]?.cost ?? Number.POSITIVE_INFINITY)) ways[end] = { cost, parts: [...before.parts, part] };
		}
	}
	const parts = ways[word.length]?.parts;
	return parts !== undefined && parts.length > 1 && parts.some((part) => count(stemWord(part)) > 0) ? parts : undefined;
}

/** The word one edit away that occurs in the most chunks; dictionary words are preferred. */
function nearest(word: string, dictionary: Dictionary, count: (term: string) => number): string | undefined {
	let best: { word: string; listed: boolean; chunks: number } | undefined;
	for (const candidate of oneEditAway(word)) {
		const listed = dictionary.has(candidate);
		// A term can stand for several word forms: suggest only the stemWord, or the form with the same ending as the word.
		if (!listed && stemWord(candidate) !== candidate && candidate.at(-1) !== word.at(-1)) continue;
		const chunks = count(stemWord(candidate));
		if (chunks === 0 || (best?.listed === true && !listed)) continue;
		const isLikelier = chunks === best?.chunks && likeness(candidate, word) > likeness(best.word, word);
		if (best === undefined || (listed && !best.listed) || chunks > best.chunks || isLikelier)
			best = { word: candidate, listed, chunks };
	}
	return best?.word;
}

/** Ranks forms of one word: swapped letters are more common than missing ones, and those than extra ones. */
function likeness(candidate: string, word: string): number {
	return candidate.length === word.length ? 2 : candidate.length > word.length ? 1 : 0;
}

function oneEditAway(word: string): Set<string> {
	const edits = new Set<string>();
	for (let at = 0; at <= word.length; at++) {
		const head = word.slice(0, at);
		const tail = word.slice(at);
		if (tail !== "") edits.add(head + tail.slice(1));
		if (tail.length > 1) edits.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
		for (const letter of LETTERS) {
			edits.add(head + letter + tail);
			if (tail !== "") edits.add(head + letter + tail.slice(1));
		}
	}
	edits.delete(word);
	return edits;
}

/** Known words, whether or not the index has them. */
export type Dictionary = { has(word: string): boolean };

const WORD = /^[a-z]{2,32}$/;
const MOST_BYTES = 16 * 1024 * 1024;

/** The word lists installed in the cache. Each search checks for changes; a list is read when it is first needed. */
export class InstalledDictionary {
	readonly #folder: string;
	#state: { readonly changedMs: number; readonly dictionary: Dictionary } | undefined;

	constructor(cacheRoot: string) {
		this.#folder = join(cacheRoot, "dictionaries");
	}

	/** When a list was last added or removed. */
	installedMs(): number | undefined {
		return statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
	}

	/** `undefined` if none is installed. Lists installed later are picked up. */
	current(): Dictionary | undefined {
		const changedMs = this.installedMs();
		if (changedMs === undefined) return undefined;
		if (this.#state?.changedMs !== changedMs) this.#state = { changedMs, dictionary: lazily(() => this.#read()) };
		return this.#state.dictionary;
	}

	#read(): Dictionary {
		let left = MOST_BYTES;
		const words: string[] = [];
		for (const name of readdirSync(this.#folder).sort()) {
			const path = join(this.#folder, name);
			const size = name.endsWith(".txt") ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
			if (size === undefined || size > left) continue;
			left -= size;
			for (const line of readFileSync(path, "utf8").split(/\s+/)) if (WORD.test(line)) words.push(line);
		}
		return sortedWords(words.sort());
	}
}

function lazily(read: () => Dictionary): Dictionary {
	let dictionary: Dictionary | undefined;
	return {
		has: (word) => {
			dictionary ??= read();
			return dictionary.has(word);
		},
	};
}

/** One string plus the offset of each word takes a tenth of the memory of a set of strings. */
function sortedWords(words: readonly string[]): Dictionary {
	const text = words.join("\n");
	const starts = new Uint32Array(words.length + 1);
	for (const [index, word] of words.entries()) starts[index + 1] = (starts[index] ?? 0) + word.length + 1;
	return {
		has: (word) => {
			let low = 0;
			let high = starts.length - 2;
			while (low <= high) {
				const middle = (low + high) >>> 1;
				const found = text.slice(starts[middle], (starts[middle + 1] ?? 0) - 1);
				if (found === word) return true;
				if (found < word) low = middle + 1;
				else high = middle - 1;
			}
			return false;
		},
	};
}
