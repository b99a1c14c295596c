import { termsOf } from "../tokens/terms.ts";

/** The terms of one segment under construction, numbered as they come, and the words already split. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #words = new Map<string, readonly number[]>();

	get size(): number {
		return this.#ids.size;
	}

	id(term: string): number {
		const known = this.#ids.get(term);
		if (known !== undefined) return known;
		const id = this.#ids.size;
		this.#ids.set(detached(term), id);
		return id;
	}

	/** The terms of a word. Most words of a code base repeat, so each is split once per segment. */
	idsOf(word: string): readonly number[] {
		const known = this.#words.get(word);
		if (known !== undefined) return known;
		const ids = termsOf(word).map((term) => this.id(term));
		this.#words.set(detached(word), ids);
		return ids;
	}

	/** Terms with their numbers, in the order of the store. */
	sorted(): [string, number][] {
		return [...this.#ids].sort(([a], [b]) => (a < b ? -1 : 1));
	}

	clear(): void {
		this.#ids.clear();
		this.#words.clear();
	}
}

/** A match is a slice that would keep its whole file in memory; a copy does not. */
function detached(text: string): string {
	return text.length < 13 ? text : Buffer.from(text, "utf8").toString("utf8");
}
