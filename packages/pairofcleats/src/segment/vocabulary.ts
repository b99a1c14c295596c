import { detached } from "../index/detached.ts";
import { termsOf } from "../tokens/terms.ts";
import { type FactField, factTerm } from "./factTerms.ts";
import { compareUtf8 } from "./utf8Order.ts";
import { WordTable } from "./wordTable.ts";

const NO_ROWS: readonly number[] = [];
const RARE = /[\ud800-\uffff]/;

/** The terms of one segment under construction, numbered as they come, and the words already split. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	/** Facts are numbered among the terms, and found by field and value: their terms are made when all are written. */
	readonly #facts = new Map<FactField, Map<string, number>>();
	readonly words: WordTable;
	#size = 0;

	/** `rowsOf`: the rows of an embedding table that a word stands for. */
	constructor(rowsOf: (word: string) => readonly number[] = () => NO_ROWS) {
		this.words = new WordTable((word) => ({
			terms: termsOf(word).map((term) => this.#number(this.#ids, term)),
			rows: rowsOf(word),
		}));
	}

	get size(): number {
		return this.#size;
	}

	/** The number of a fact's term. */
	fact(field: FactField, value: string): number {
		let values = this.#facts.get(field);
		if (!values) {
			values = new Map();
			this.#facts.set(field, values);
		}
		const known = values.get(value);
		if (known !== undefined) return known;
		const kept = detached(value);
		// Mended, it may be one that is known.
		if (kept !== value) return this.#number(values, kept);
		values.set(kept, this.#size);
		return this.#size++;
	}

	/** Terms with their numbers, in the order of the store: facts, field by field, are before all words. */
	*sorted(): Generator<readonly [string, number]> {
		const fields = [...this.#facts].sort(([a], [b]) => compareUtf8(factTerm(a, ""), factTerm(b, "")));
		for (const [field, values] of fields) {
			for (const value of inOrder(values)) yield [factTerm(field, value), values.get(value) ?? 0];
		}
		for (const term of inOrder(this.#ids)) yield [term, this.#ids.get(term) ?? 0];
	}

	clear(): void {
		this.#ids.clear();
		this.#facts.clear();
		this.words.clear();
		this.#size = 0;
	}

	#number(ids: Map<string, number>, text: string): number {
		const known = ids.get(text);
		if (known !== undefined) return known;
		ids.set(text, this.#size);
		return this.#size++;
	}
}

/** Without a comparison of our own it is several times faster, and right but for the rarest characters. */
function inOrder(ids: ReadonlyMap<string, number>): string[] {
	const texts = [...ids.keys()].sort();
	return texts.some((text) => RARE.test(text)) ? texts.sort(compareUtf8) : texts;
}
