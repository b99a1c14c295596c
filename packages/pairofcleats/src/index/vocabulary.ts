import { termsOf, WORD } from "../tokens/terms.ts";
import { type FactField, factTerm } from "./factTerms.ts";

/** Called for a word with the numbers of its terms and its rows in the embedding table. */
export type VisitWord = (terms: readonly number[], rows: readonly number[]) => void;

const NO_ROWS: readonly number[] = [];

/** The terms of one segment under construction, numbered as they come, and the words already split. */
export class Vocabulary {
	readonly #ids = new Map<string, number>();
	readonly #facts = new Map<FactField, Map<string, number>>();
	readonly #words: WordTable;

	/** `rowsOf`: the rows of an embedding table that a word stands for. */
	constructor(rowsOf: (word: string) => readonly number[] = () => NO_ROWS) {
		this.#words = new WordTable((word) => ({
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
		const id = this.#id(factTerm(field, value));
		values.set(detached(value), id);
		return id;
	}

	/** Calls back for each word of a text with its terms. Most words repeat, so each is split once. */
	eachWord(text: string, visit: VisitWord): void {
		const end = eachAsciiWord(text, this.#words, visit);
		if (end === text.length) return;
		for (const word of text.slice(end).match(WORD) ?? []) {
			const { terms, rows } = this.#words.find(word, 0, word.length, hashOf(word));
			visit(terms, rows);
		}
	}

	/** Terms with their numbers, in the order of the store. */
	sorted(): [string, number][] {
		return [...this.#ids].sort(([a], [b]) => (a < b ? -1 : 1));
	}

	clear(): void {
		this.#ids.clear();
		this.#facts.clear();
		this.#words.clear();
	}

	#id(term: string): number {
		const known = this.#ids.get(term);
		if (known !== undefined) return known;
		const id = this.#ids.size;
		this.#ids.set(term, id);
		return id;
	}
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const CHARACTER = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$") CHARACTER[letter.charCodeAt(0)] = LETTER;
for (const digit of "0123456789") CHARACTER[digit.charCodeAt(0)] = DIGIT;

/**
 * The words that the WORD pattern finds, without making a string of each, up to the first word or mark beyond ASCII.
 * Returns where it stopped: the end of the text, or the start of what is left to the pattern.
 */
function eachAsciiWord(text: string, words: WordTable, visit: VisitWord): number {
	const { length } = text;
	for (let at = 0; at < length; ) {
		const kind = CHARACTER[text.charCodeAt(at)];
		if (kind === OTHER) {
			at += 1;
			continue;
		}
		if (kind === undefined) return at;
		const start = at;
		let hash = HASH_START;
		for (; at < length; at++) {
			const code = text.charCodeAt(at);
			if (code > 127 && kind === LETTER) return start;
			const next = CHARACTER[code] ?? OTHER;
			if (next === OTHER || (kind === DIGIT && next !== DIGIT)) break;
			hash = Math.imul(hash ^ code, HASH_FACTOR);
		}
		const { terms, rows } = words.find(text, start, at, hash);
		visit(terms, rows);
	}
	return length;
}

const HASH_START = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;

function hashOf(word: string): number {
	let hash = HASH_START;
	for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_FACTOR);
	return hash;
}

type SplitWord = { readonly terms: readonly number[]; readonly rows: readonly number[] };

/** Words to their terms, by open addressing on a hash the caller has already made. */
class WordTable {
	readonly #split: (word: string) => SplitWord;
	#slots = new Int32Array(1 << 16).fill(-1);
	#hashes: number[] = [];
	#words: string[] = [];
	#found: SplitWord[] = [];

	constructor(split: (word: string) => SplitWord) {
		this.#split = split;
	}

	find(text: string, start: number, end: number, hash: number): SplitWord {
		const mask = this.#slots.length - 1;
		let slot = (hash ^ (hash >>> 15)) & mask;
		for (let entry = this.#slots[slot] ?? -1; entry >= 0; entry = this.#slots[slot] ?? -1) {
			if (this.#hashes[entry] === hash) {
				const word = this.#words[entry] ?? "";
				const found = this.#found[entry];
				if (found && word.length === end - start && text.startsWith(word, start)) return found;
			}
			slot = (slot + 1) & mask;
		}
		return this.#add(detached(text.slice(start, end)), hash, slot);
	}

	clear(): void {
		this.#slots.fill(-1);
		this.#hashes = [];
		this.#words = [];
		this.#found = [];
	}

	#add(word: string, hash: number, slot: number): SplitWord {
		const found = this.#split(word);
		this.#slots[slot] = this.#words.length;
		this.#hashes.push(hash);
		this.#words.push(word);
		this.#found.push(found);
		if (this.#words.length * 2 > this.#slots.length) this.#grow();
		return found;
	}

	#grow(): void {
		const slots = new Int32Array(this.#slots.length * 2).fill(-1);
		const mask = slots.length - 1;
		for (const [entry, hash] of this.#hashes.entries()) {
			let slot = (hash ^ (hash >>> 15)) & mask;
			while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
			slots[slot] = entry;
		}
		this.#slots = slots;
	}
}

/** A slice would keep its whole file in memory; a copy does not. */
function detached(text: string): string {
	return text.length < 13 ? text : Buffer.from(text, "utf8").toString("utf8");
}
