import type { VectorLog } from "../vectors/vectorLog.ts";
import { compareUtf8, detachString, widenArray } from "./bytes.ts";
import { type FactField, makeFactTerm } from "./factTerms.ts";
import type { SegmentKernel } from "./segmentKernel.ts";

const RARE = /[\ud800-\uffff]/;

/** The terms of one segment under construction, numbered in order of appearance. */
export class Vocabulary {
	readonly #kernel: SegmentKernel;
	/** The values of facts, numbered once for all fields, because most names occur in several fields. */
	readonly #names = new Map<string, number>();
	/** Per field, indexed by name number: the fact's term number plus one, or 0 if there is none. */
	readonly #facts = new Map<FactField, Uint32Array>();

	constructor(kernel: SegmentKernel) {
		this.#kernel = kernel;
	}

	/** The number of a fact's term. */
	fact(field: FactField, value: string): number {
		const name = this.#name(value);
		let terms = this.#facts.get(field);
		if (!terms || name >= terms.length) {
			terms = terms ? widenArray(terms, name + 1) : new Uint32Array(Math.max(name + 1, 1 << 8));
			this.#facts.set(field, terms);
		}
		const known = terms[name] ?? 0;
		if (known > 0) return known - 1;
		const term = this.#kernel.exports.newTerm(0);
		terms[name] = term + 1;
		return term;
	}

	/** Terms with their numbers in the store's order: facts by field, then words. */
	*sorted(): Generator<readonly [string, number]> {
		const fields = [...this.#facts].sort(([a], [b]) => compareUtf8(makeFactTerm(a, ""), makeFactTerm(b, "")));
		const names = inOrder(this.#names);
		const order = Uint32Array.from(names, (name) => this.#names.get(name) ?? 0);
		for (const [field, terms] of fields) {
			for (let at = 0; at < order.length; at++) {
				const term = terms[order[at] ?? 0] ?? 0;
				if (term > 0) yield [makeFactTerm(field, names[at] ?? ""), term - 1];
			}
		}
		const { exports } = this.#kernel;
		const count = exports.sortTerms();
		for (let index = 0; index < count; index++) {
			const term = exports.orderedTerm(index);
			const at = exports.termAt(term);
			yield [this.#kernel.bytes.toString("utf8", at, at + exports.termLength(term)), term];
		}
	}

	clear(): void {
		this.#names.clear();
		for (const terms of this.#facts.values()) terms.fill(0);
	}

	#name(value: string): number {
		const known = this.#names.get(value);
		if (known !== undefined) return known;
		const kept = detachString(value);
		// With lone surrogates replaced, it may equal a known name.
		if (kept !== value) return this.#name(kept);
		const name = this.#names.size;
		this.#names.set(kept, name);
		return name;
	}
}

/** The default sort is several times faster, and only wrong for characters beyond the basic plane. */
function inOrder(ids: ReadonlyMap<string, number>): string[] {
	const texts = [...ids.keys()].sort();
	return texts.some((text) => RARE.test(text)) ? texts.sort(compareUtf8) : texts;
}

/** Gathers the terms of documents, one at a time, and the trigrams of their files. */
export class DocumentTerms {
	readonly #kernel: SegmentKernel;
	readonly #rowsOf: (word: string) => readonly number[];
	/** By word number. */
	#rows: (readonly number[] | undefined)[] = [];
	#text = 0;
	#textEnd = 0;

	/** `rowsOf` returns the rows of the embedding table for a word. */
	constructor(kernel: SegmentKernel, rowsOf: (word: string) => readonly number[]) {
		this.#kernel = kernel;
		this.#rowsOf = rowsOf;
	}

	/** Sets the file whose ranges are counted next. */
	startFile(text: string): void {
		this.#text = this.#kernel.load(text);
		this.#textEnd = this.#text + 2 * text.length;
	}

	/** Records which trigrams the file has. */
	noteTrigrams(file: number): void {
		this.#kernel.exports.noteTrigrams(this.#text, this.#textEnd);
		this.#kernel.exports.endFile(file);
	}

	/**
	 * Counts the terms of a range of the file and passes each word to `vectors`. Returns the number of words, and a hash
	 * that identical ranges share.
	 */
	countBody(from: number, to: number, vectors?: VectorLog): Counted {
		const { exports } = this.#kernel;
		const words = exports.countBody(this.#text + 2 * from, this.#text + 2 * to);
		if (vectors)
			for (const word of this.#kernel.numbers(exports.foundAt(), words)) vectors.addWord(this.#rowsOfWord(word));
		return this.#counted();
	}

	/** Like `countBody`, for a text that is not a range of the file. */
	countText(text: string): Counted {
		const at = this.#kernel.loadAside(text);
		this.#kernel.exports.countBody(at, at + 2 * text.length);
		return this.#counted();
	}

	/** Marks the words of a text as present in a field of the document. */
	markText(text: string, field: number): void {
		if (text === "") return;
		const at = this.#kernel.loadAside(text);
		this.#kernel.exports.markText(at, at + 2 * text.length, field);
	}

	/** The term numbers of a text's words. */
	termsOf(text: string): number[] {
		const kernel = this.#kernel;
		const at = kernel.loadAside(text);
		const count = kernel.exports.readWords(at, at + 2 * text.length);
		return [...kernel.numbers(kernel.exports.foundAt(), count)].flatMap((word) => {
			const terms = kernel.exports.termsOfWord(word);
			return [...kernel.numbers(terms, (kernel.exports.termsOfWord(word + 1) - terms) / 4)];
		});
	}

	/** Marks a term as present in the document, or in a field of it. */
	mark(term: number, field = 0): void {
		this.#kernel.exports.mark(term, field);
	}

	/** Writes each term of the document once, and starts the next document. */
	write(doc: number): void {
		this.#kernel.exports.writeDocument(doc);
	}

	clear(): void {
		this.#rows = [];
	}

	#counted(): Counted {
		const { exports } = this.#kernel;
		return { length: exports.bodyLength(), twinLow: exports.twinLow() >>> 0, twinHigh: exports.twinHigh() };
	}

	#rowsOfWord(word: number): readonly number[] {
		const known = this.#rows[word];
		if (known) return known;
		const rows = this.#rowsOf(this.#kernel.wordText(word));
		this.#rows[word] = rows;
		return rows;
	}
}

type Counted = { readonly length: number; readonly twinLow: number; readonly twinHigh: number };
