import type { VectorLog } from "../vectors/vectorLog.ts";
import type { SegmentKernel } from "./segmentKernel.ts";

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
