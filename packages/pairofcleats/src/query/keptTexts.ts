import type { IndexReader } from "../index/store.ts";

/** Characters that all threads together keep. Decompressing is two thirds of what a search by expression costs. */
const MOST_KEPT = 32_000_000;

/** Texts read before by this thread. A build has numbers of its own, so another build's are forgotten. */
export class KeptTexts {
	readonly #texts = new Map<string, string>();
	readonly #most: number;
	#build = "";
	#kept = 0;

	constructor(threads: number) {
		this.#most = MOST_KEPT / threads;
	}

	read(reader: IndexReader, index: string): (segment: number, ordinal: number) => string | undefined {
		const build = `${index} ${reader.meta("builtAt")}`;
		if (build !== this.#build) {
			this.#texts.clear();
			this.#kept = 0;
			this.#build = build;
		}
		return (segment, ordinal) => {
			const key = `${segment}/${ordinal}`;
			const known = this.#texts.get(key);
			if (known !== undefined) return known;
			const text = reader.text(segment, ordinal);
			// The first ones stay: a search reads all in turn, and would push out each just before its next use.
			if (text !== undefined && this.#kept + text.length <= this.#most) {
				this.#texts.set(key, text);
				this.#kept += text.length;
			}
			return text;
		};
	}
}
