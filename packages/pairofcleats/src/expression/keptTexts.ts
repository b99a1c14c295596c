import type { IndexReader } from "../store/store.ts";

/** Characters cached by all threads together. Decompression is two thirds of the cost of a regex search. */
const MOST_KEPT = 32_000_000;

/** A text unused by this many searches may be evicted. */
const IDLE = 4;

type Kept = { readonly text: string; readonly search: number };

/**
 * A cache of decompressed texts, valid for one build of the index. Texts unused by the last few searches are evicted;
 * otherwise the oldest entries stay, because a search reads all files in turn and LRU would evict each just before its
 * next use. Large files, which contain all trigrams, are read by every search.
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

	/** Returns the read function for one search. */
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

	/** Returns false if recently used texts leave too little room. */
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
