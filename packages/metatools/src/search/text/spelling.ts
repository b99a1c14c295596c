import { nearest } from "libmcp/command";

const MOST_WORDS = 8;
const MOST_LETTERS_APART = 2;

/** Corrects the spelling of a query that found nothing, using the words of the catalogue. */
export class Spelling {
	/** Tool names by their letters and digits alone. */
	readonly #names: ReadonlyMap<string, string>;
	/** Sorted, so that corrections do not depend on the order of the tools. */
	readonly #known: readonly string[];

	constructor(names: readonly string[], words: Iterable<string>) {
		this.#names = new Map(names.toSorted().map((name) => [name.replaceAll(/[^\p{L}\p{N}]/gu, ""), name]));
		this.#known = [...new Set([...this.#names.keys(), ...words])].sort();
	}

	/** Replaces each word by the nearest known one; a tool name written as one word becomes the real name. */
	corrected(words: readonly string[]): readonly string[] {
		return words.slice(0, MOST_WORDS).map((word) => {
			const meant = nearest(word, this.#alike(word)) ?? word;
			return this.#names.get(meant) ?? meant;
		});
	}

	/** Keeps the comparison cheap: hardly anybody mistypes the first letter, so only words that share it are candidates. */
	#alike(word: string): readonly string[] {
		return this.#known.filter(
			(known) => known[0] === word[0] && Math.abs(known.length - word.length) <= MOST_LETTERS_APART,
		);
	}
}
