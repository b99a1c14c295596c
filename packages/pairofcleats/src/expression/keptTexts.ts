import type { IndexReader } from "../store/store.ts";

/** Characters that all threads together keep. Decompressing is two thirds of what a search by expression costs. */
const MOST_KEPT = 32_000_000;

/** Searches that a text is kept for without being used. */
const IDLE = 4;

type Kept = { readonly text: string; readonly search: number };

/**
 * Texts read before by this thread. A build has numbers of its own, so another build's are forgotten. What the last few
 * searches had no use for makes room; else the first ones stay, as a search reads all in turn and would push out each
 * just before its next use. Large files, which have all trigrams, are read by every search.
 */
export class KeptTexts {
	/** In order of use. */
	readonly #texts = new Map<string, Kept>();
	readonly #most: number;
	#build = "";
	#kept = 0;
	#search = 0;

	constructor(threads: number) {
		this.#most = MOST_KEPT / threads;
	}

	/** For one search. */
	read(reader: IndexReader, index: string): (segment: number, ordinal: number) => string | undefined {
		const build = `${index} ${reader.meta("builtAt")}`;
		if (build !== this.#build) {
			this.#texts.clear();
			this.#kept = 0;
			this.#build = build;
		}
		this.#search += 1;
		return (segment, ordinal) => {
			const key = `${segment}/${ordinal}`;
			const known = this.#texts.get(key);
			const text = known?.text ?? reader.text(segment, ordinal);
			if (text === undefined || (!known && !this.#makeRoom(text.length))) return text;
			this.#texts.delete(key);
			this.#texts.set(key, { text, search: this.#search });
			return text;
		};
	}

	/** False where what was used lately leaves too little. */
	#makeRoom(length: number): boolean {
		for (const [key, { text, search }] of this.#texts) {
			if (this.#kept + length <= this.#most || search > this.#search - IDLE) break;
			this.#texts.delete(key);
			this.#kept -= text.length;
		}
		if (this.#kept + length > this.#most) return false;
		this.#kept += length;
		return true;
	}
}
