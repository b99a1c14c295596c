import { kindAt, OTHER_KIND, WORD_KIND } from "../tokens/wordKinds.ts";
import { widened } from "./widened.ts";

/** What a word stands for: the numbers of its terms, and its rows in the embedding table. */
export type SplitWord = { readonly terms: readonly number[]; readonly rows: readonly number[] };

const HASH_START = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;
/** The last of the blanks; what is before it is one too. */
const BLANK = 32;

/** Words by number. Most words of a text have been met before, and for those no string is made. */
export class WordTable {
	readonly #split: (word: string) => SplitWord;
	/** Pairs, since both are wanted at once: the hash of a word, and its number and one; zero where there is none. */
	#slots = new Int32Array(1 << 16);
	/** Units of all words one after the other, and where each begins. */
	#units = new Uint16Array(1 << 17);
	#starts = new Uint32Array(1 << 14);
	#size = 0;
	#termStarts = new Uint32Array(1 << 14);
	#terms = new Uint32Array(1 << 15);
	#rows: (readonly number[])[] = [];
	#found = new Uint32Array(1 << 12);
	#twin = 0;

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

	/** A hash of what was read last, its white space left out, so that re-indented copies of the same code meet. */
	get twin(): number {
		return this.#twin >>> 0;
	}

	/** The words of a stretch of text in order; the list is valid until the next call. */
	read(units: Uint16Array, from: number, to: number): Uint32Array {
		let count = 0;
		let twin = HASH_START;
		for (let at = from; at < to; ) {
			const kind = kindAt(units, at, from, to);
			if (kind >= OTHER_KIND) {
				const mark = units[at++] ?? 0;
				if (mark > BLANK) twin = Math.imul(twin ^ mark, HASH_FACTOR);
				continue;
			}
			const start = at;
			// A number is digits only; a word is anything but marks.
			const last = kind === WORD_KIND.digit ? WORD_KIND.digit : WORD_KIND.inner;
			let hash = HASH_START;
			do {
				hash = Math.imul(hash ^ (units[at++] ?? 0), HASH_FACTOR);
			} while (at < to && kindAt(units, at, from, to) <= last);
			twin = Math.imul(twin ^ hash, HASH_FACTOR);
			if (count === this.#found.length) this.#found = widened(this.#found);
			this.#found[count++] = this.#find(units, start, at, hash);
		}
		this.#twin = twin;
		return this.#found.subarray(0, count);
	}

	clear(): void {
		this.#slots.fill(0);
		this.#size = 0;
		this.#rows = [];
	}

	#find(units: Uint16Array, start: number, end: number, hash: number): number {
		const slots = this.#slots;
		let slot = slotOf(hash, slots);
		for (let entry = slots[slot + 1] ?? 0; entry > 0; entry = slots[slot + 1] ?? 0) {
			if (slots[slot] === hash && this.#isWord(entry - 1, units, start, end)) return entry - 1;
			slot = nextSlot(slot, slots);
		}
		slots[slot] = hash;
		slots[slot + 1] = this.#size + 1;
		return this.#add(units.subarray(start, end));
	}

	#isWord(word: number, units: Uint16Array, start: number, end: number): boolean {
		const from = this.#starts[word] ?? 0;
		if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false;
		for (let at = start; at < end; at++) if (this.#units[from + at - start] !== units[at]) return false;
		return true;
	}

	#add(units: Uint16Array): number {
		const word = this.#size++;
		if (this.#size === this.#starts.length) {
			this.#starts = widened(this.#starts);
			this.#termStarts = widened(this.#termStarts);
		}
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
		if (this.#size * 4 > this.#slots.length) this.#spread();
		return word;
	}

	#spread(): void {
		const slots = new Int32Array(this.#slots.length * 2);
		for (let at = 0; at < this.#slots.length; at += 2) {
			const hash = this.#slots[at] ?? 0;
			const entry = this.#slots[at + 1] ?? 0;
			if (entry === 0) continue;
			let slot = slotOf(hash, slots);
			while (slots[slot + 1] !== 0) slot = nextSlot(slot, slots);
			slots[slot] = hash;
			slots[slot + 1] = entry;
		}
		this.#slots = slots;
	}
}

/** Where the pair of a word with this hash is, or the first of those where it may be. */
function slotOf(hash: number, slots: Int32Array): number {
	return ((hash ^ (hash >>> 15)) << 1) & (slots.length - 1);
}

function nextSlot(slot: number, slots: Int32Array): number {
	return (slot + 2) & (slots.length - 1);
}

function textOf(units: Uint16Array): string {
	// The quick way takes each unit as an argument, of which there cannot be very many.
	if (units.length > 64) return Buffer.from(units.slice().buffer).toString("utf16le");
	return Reflect.apply(String.fromCharCode, undefined, units);
}
