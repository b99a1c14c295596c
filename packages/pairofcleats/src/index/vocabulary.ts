import { termsOf } from "../tokens/terms.ts";
import { type FactField, factTerm } from "./factTerms.ts";
import { compareUtf8 } from "./utf8Order.ts";
import { WordTable } from "./wordTable.ts";

const NO_ROWS: readonly number[] = [];
const RARE = /[\ud800-\uffff]/;

/** The terms of one segment under construction, numbered as they come, and the words already split. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #facts = new Map<FactField, Map<string, number>>();
	readonly words: WordTable;

	/** `rowsOf`: the rows of an embedding table that a word stands for. */
	constructor(rowsOf: (word: string) => readonly number[] = () => NO_ROWS) {
		this.words = new WordTable((word) => ({
			terms: termsOf(word).map((term) => this.#id(term)),
			rows: rowsOf(word),
		}));
	}

	get size(): number {
		return this.#ids.size;
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
		const id = this.#id(factTerm(field, value.toWellFormed()));
		values.set(detached(value), id);
		return id;
	}

	/** Terms with their numbers, in the order of the store. */
	*sorted(): Generator<readonly [string, number]> {
		// Without a comparison of our own it is several times faster, and right but for the rarest characters.
		const terms = [...this.#ids.keys()].sort();
		if (terms.some((term) => RARE.test(term))) terms.sort(compareUtf8);
		for (const term of terms) yield [term, this.#ids.get(term) ?? 0];
	}

	clear(): void {
		this.#ids.clear();
		this.#facts.clear();
		this.words.clear();
	}

	#id(term: string): number {
		const known = this.#ids.get(term);
		if (known !== undefined) return known;
		const id = this.#ids.size;
		this.#ids.set(term, id);
		return id;
	}
}

/** A slice would keep its whole file in memory; a copy does not. */
function detached(text: string): string {
	return text.length < 13 ? text : Buffer.from(text, "utf8").toString("utf8");
}
