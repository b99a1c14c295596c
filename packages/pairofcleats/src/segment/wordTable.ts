import { kindAt, OTHER_KIND, WORD_KIND } from "../tokens/wordKinds.ts";
import { widened } from "./widened.ts";

/** What a word stands for: the numbers of its terms, and its rows in the embedding table. */
export type SplitWord = { readonly terms: readonly number[]; readonly rows: readonly number[] };

const HASH_START = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;

/** Words by number. Most words of a text have been met before, and for those no string is made. */
export class WordTable {
	readonly #split: (word: string) => SplitWord;
	#slots = new Int32Array(1 << 16).fill(-1);
	#hashes = new Int32Array(1 << 14);
	/** Units of all words one after the other, and where each begins. */
	#units = new Uint16Array(1 << 17);
	#starts = new Uint32Array(1 << 14);
	#size = 0;
	#termStarts = new Uint32Array(1 << 14);
	#terms = new Uint32Array(1 << 15);
	#rows: (readonly number[])[] = [];
	#found = new Uint32Array(1 << 12);

	constructor(split: (word: string) => SplitWord) {
		this.#split = split;
	}

	get size(): number {
		return this.#size;
	}

	/** Numbers of the terms of all words, one after the other. */
	get terms(): Uint32Array {
		return this.#terms;
	}

	/** Where the terms of each word begin; they end where the next word's do. */
	get termStarts(): Uint32Array {
		return this.#termStarts;
	}

	rows(word: number): readonly number[] {
		return this.#rows[word] ?? [];
	}

	/** The words of a stretch of text in order; the list is valid until the next call. */
	read(units: Uint16Array, from: number, to: number): Uint32Array {
		let count = 0;
		for (let at = from; at < to; ) {
			const kind = kindAt(units, at, from, to);
			if (kind >= OTHER_KIND) {
				at += 1;
				continue;
			}
			const start = at;
			let hash = HASH_START;
			do {
				hash = Math.imul(hash ^ (units[at++] ?? 0), HASH_FACTOR);
			} while (at < to && continues(kind, kindAt(units, at, from, to)));
			if (count === this.#found.length) this.#found = widened(this.#found);
			this.#found[count++] = this.#find(units, start, at, hash);
		}
		return this.#found.subarray(0, count);
	}

	clear(): void {
		this.#slots.fill(-1);
		this.#size = 0;
		this.#rows = [];
	}

	#find(units: Uint16Array, start: number, end: number, hash: number): number {
		const mask = this.#slots.length - 1;
		let slot = (hash ^ (hash >>> 15)) & mask;
		for (let word = this.#slots[slot] ?? -1; word >= 0; word = this.#slots[slot] ?? -1) {
			if (this.#hashes[word] === hash && this.#isWord(word, units, start, end)) return word;
			slot = (slot + 1) & mask;
		}
		this.#slots[slot] = this.#size;
		return this.#add(units.subarray(start, end), hash);
	}

	#isWord(word: number, units: Uint16Array, start: number, end: number): boolean {
		const from = this.#starts[word] ?? 0;
		if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false;
		for (let at = start; at < end; at++) if (this.#units[from + at - start] !== units[at]) return false;
		return true;
	}

	#add(units: Uint16Array, hash: number): number {
		const word = this.#size++;
		if (this.#size === this.#hashes.length) {
			this.#hashes = widened(this.#hashes);
			this.#starts = widened(this.#starts);
			this.#termStarts = widened(this.#termStarts);
		}
		this.#hashes[word] = hash;
		const from = this.#starts[word] ?? 0;
		if (from + units.length > this.#units.length) this.#units = widened(this.#units, from + units.length);
		this.#units.set(units, from);
		this.#starts[word + 1] = from + units.length;
		const { terms, rows } = this.#split(textOf(units));
		const first = this.#termStarts[word] ?? 0;
		if (first + terms.length > this.#terms.length) this.#terms = widened(this.#terms, first + terms.length);
		this.#terms.set(terms, first);
		this.#termStarts[word + 1] = first + terms.length;
		this.#rows.push(rows);
		if (this.#size * 2 > this.#slots.length) this.#spread();
		return word;
	}

	#spread(): void {
		const slots = new Int32Array(this.#slots.length * 2).fill(-1);
		const mask = slots.length - 1;
		for (let word = 0; word < this.#size; word++) {
			const hash = this.#hashes[word] ?? 0;
			let slot = (hash ^ (hash >>> 15)) & mask;
			while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
			slots[slot] = word;
		}
		this.#slots = slots;
	}
}

/** A number is digits only; a word is anything but marks. */
function continues(first: number, next: number): boolean {
	return first === WORD_KIND.digit ? next === WORD_KIND.digit : next <= WORD_KIND.inner;
}

function textOf(units: Uint16Array): string {
	// The quick way takes each unit as an argument, of which there cannot be very many.
	return units.length <= 64 ? String.fromCharCode(...units) : Buffer.from(units.slice().buffer).toString("utf16le");
}
