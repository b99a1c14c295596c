import type { VectorLog } from "../vectors/vectorLog.ts";
import type { SegmentKernel } from "./segmentKernel.ts";

/** Gathers the terms of one document after the other, and the trigrams of their files. */
export class DocumentTerms {
	readonly #kernel: SegmentKernel;
	readonly #rowsOf: (word: string) => readonly number[];
	/** By word. */
	#rows: (readonly number[] | undefined)[] = [];
	#text = 0;
	#textEnd = 0;

	/** `rowsOf`: the rows of an embedding table that a word stands for. */
	constructor(kernel: SegmentKernel, rowsOf: (word: string) => readonly number[]) {
		this.#kernel = kernel;
		this.#rowsOf = rowsOf;
	}

	/** The file whose stretches are counted next. */
	startFile(text: string): void {
		this.#text = this.#kernel.load(text);
		this.#textEnd = this.#text + 2 * text.length;
	}

	/** Notes which trigrams the file has. */
	noteTrigrams(file: number): void {
		this.#kernel.exports.noteTrigrams(this.#text, this.#textEnd);
		this.#kernel.exports.endFile(file);
	}

	/**
	 * Counts the terms of a stretch of the file, which `vectors` hears of word by word; tells how many there are, and the
	 * hash that such a stretch shares with its copies.
	 */
	countBody(from: number, to: number, vectors?: VectorLog): Counted {
		const { exports } = this.#kernel;
		const words = exports.countBody(this.#text + 2 * from, this.#text + 2 * to);
		if (vectors)
			for (const word of this.#kernel.numbers(exports.foundAt(), words)) vectors.addWord(this.#rowsOfWord(word));
		return this.#counted();
	}

	/** The same of a text that is no stretch of the file. */
	countText(text: string): Counted {
		const at = this.#kernel.loadAside(text);
		this.#kernel.exports.countBody(at, at + 2 * text.length);
		return this.#counted();
	}

	/** The words of a text stand in a field of the document. */
	markText(text: string, field: number): void {
		if (text === "") return;
		const at = this.#kernel.loadAside(text);
		this.#kernel.exports.markText(at, at + 2 * text.length, field);
	}

	/** The numbers of a text's terms. */
	termsOf(text: string): number[] {
		const kernel = this.#kernel;
		const at = kernel.loadAside(text);
		const count = kernel.exports.readWords(at, at + 2 * text.length);
		return [...kernel.numbers(kernel.exports.foundAt(), count)].flatMap((word) => {
			const terms = kernel.exports.termsOfWord(word);
			return [...kernel.numbers(terms, (kernel.exports.termsOfWord(word + 1) - terms) / 4)];
		});
	}

	/** The document has a term, in a field if one is given. */
	mark(term: number, field = 0): void {
		this.#kernel.exports.mark(term, field);
	}

	/** Writes down the terms of the document, each once, and is ready for the next one. */
	write(doc: number): void {
		this.#kernel.exports.writeDocument(doc);
	}

	clear(): void {
		this.#rows = [];
	}

	#counted(): Counted {
		const { exports } = this.#kernel;
		return { length: exports.bodyLength(), twin: exports.twin() >>> 0 };
	}

	#rowsOfWord(word: number): readonly number[] {
		const known = this.#rows[word];
		if (known) return known;
		const rows = this.#rowsOf(this.#kernel.wordText(word));
		this.#rows[word] = rows;
		return rows;
	}
}

type Counted = { readonly length: number; readonly twin: number };
