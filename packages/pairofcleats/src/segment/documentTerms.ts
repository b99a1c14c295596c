import type { VectorLog } from "../vectors/vectorLog.ts";
import { CodeUnits } from "./codeUnits.ts";
import type { PostingLog } from "./postingLog.ts";
import { stepOf } from "./postings.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { widened } from "./widened.ts";

/** Of a term's state: how often the body has it, that it was met at all, and the fields that have it. */
const COUNT = 0xffffff;
const MET = 1 << 24;
const FIELD_SHIFT = 24;

/** Gathers the terms of one document after the other. */
export class DocumentTerms {
	readonly #vocabulary: Vocabulary;
	readonly #scratch = new CodeUnits();
	/** By term: zero for those the document has not. */
	#states = new Int32Array(1 << 16);
	#touched = new Uint32Array(1 << 12);
	#length = 0;
	/** By word, and the words met: terms are looked at once per different word. */
	#wordCounts = new Uint32Array(1 << 14);
	#metWords = new Uint32Array(1 << 12);

	constructor(vocabulary: Vocabulary) {
		this.#vocabulary = vocabulary;
	}

	/**
	 * Counts the terms of a stretch of text, which `vectors` hears of word by word; tells how many there are, and the
	 * hash that such a stretch shares with its copies.
	 */
	countBody(
		units: Uint16Array,
		from: number,
		to: number,
		vectors?: VectorLog,
	): { readonly length: number; readonly twin: number } {
		const { words } = this.#vocabulary;
		const read = words.read(units, from, to);
		if (vectors) for (const word of read) vectors.addWord(words.rows(word));
		if (words.size > this.#wordCounts.length) this.#wordCounts = widened(this.#wordCounts, words.size);
		if (read.length > this.#metWords.length) this.#metWords = widened(this.#metWords, read.length);
		this.#makeRoom();
		const counts = this.#wordCounts;
		let met = 0;
		for (let index = 0; index < read.length; index++) {
			const word = read[index] ?? 0;
			const before = counts[word] ?? 0;
			counts[word] = before + 1;
			if (before === 0) this.#metWords[met++] = word;
		}
		const { terms, termStarts } = words;
		let length = 0;
		for (let index = 0; index < met; index++) {
			const word = this.#metWords[index] ?? 0;
			const count = counts[word] ?? 0;
			counts[word] = 0;
			const last = termStarts[word + 1] ?? 0;
			const first = termStarts[word] ?? 0;
			for (let at = first; at < last; at++) this.#count(terms[at] ?? 0, count);
			length += count * (last - first);
		}
		return { length, twin: words.twin };
	}

	/** The words of a text stand in a field of the document. */
	markText(text: string, field: number): void {
		if (text === "") return;
		const { units, length } = this.#scratch.load(text);
		const { words } = this.#vocabulary;
		const read = words.read(units, 0, length);
		const { terms, termStarts } = words;
		this.#makeRoom();
		for (let index = 0; index < read.length; index++) {
			const word = read[index] ?? 0;
			const last = termStarts[word + 1] ?? 0;
			for (let at = termStarts[word] ?? 0; at < last; at++) this.#place(terms[at] ?? 0, field);
		}
	}

	/** The numbers of a text's terms. */
	termsOf(text: string): number[] {
		const { units, length } = this.#scratch.load(text);
		const { words } = this.#vocabulary;
		return [...words.read(units, 0, length)].flatMap((word) => [
			...words.terms.subarray(words.termStarts[word], words.termStarts[word + 1]),
		]);
	}

	/** The document has a term, in a field if one is given. */
	mark(term: number, field = 0): void {
		this.#makeRoom();
		this.#place(term, field);
	}

	/** Writes down the terms of the document, each once, and is ready for the next one. */
	writeTo(log: PostingLog, doc: number): void {
		for (let index = 0; index < this.#length; index++) {
			const term = this.#touched[index] ?? 0;
			const state = this.#states[term] ?? 0;
			log.add(term, doc, stepOf(state & COUNT) | ((state >>> FIELD_SHIFT) & 0xf0));
			this.#states[term] = 0;
		}
		this.#length = 0;
	}

	#count(term: number, count: number): void {
		this.#states[term] = this.#meet(term) + count;
	}

	#place(term: number, field: number): void {
		this.#states[term] = this.#meet(term) | (field << FIELD_SHIFT);
	}

	/** The state of a term the document has. */
	#meet(term: number): number {
		const state = this.#states[term] ?? 0;
		if (state !== 0) return state;
		if (this.#length === this.#touched.length) this.#touched = widened(this.#touched);
		this.#touched[this.#length++] = term;
		return MET;
	}

	/** Before terms are touched: any of the vocabulary may be. */
	#makeRoom(): void {
		const { size } = this.#vocabulary;
		if (size > this.#states.length) this.#states = widened(this.#states, size);
	}
}
