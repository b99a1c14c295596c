import { widened } from "./widened.ts";

/** Postings in the order they are met, (term, document, value); turned into lists by term when a segment is full. */
export class PostingLog {
	#terms: Uint32Array = new Uint32Array(1 << 16);
	#docs: Uint32Array = new Uint32Array(1 << 16);
	#values: Uint8Array = new Uint8Array(1 << 16);
	#length = 0;

	get length(): number {
		return this.#length;
	}

	add(term: number, doc: number, value: number): void {
		if (this.#length === this.#terms.length) this.#grow();
		this.#terms[this.#length] = term;
		this.#docs[this.#length] = doc;
		this.#values[this.#length] = value;
		this.#length += 1;
	}

	clear(): void {
		this.#length = 0;
	}

	/** A counting sort, so documents keep the rising order in which they were added. */
	byTerm(termCount: number): { starts: Uint32Array; docs: Uint32Array; values: Uint8Array } {
		const starts = new Uint32Array(termCount + 1);
		const terms = this.#terms.subarray(0, this.#length);
		for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
		for (let term = 0; term < termCount; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
		const next = starts.slice();
		const docs = new Uint32Array(this.#length);
		const values = new Uint8Array(this.#length);
		for (let index = 0; index < this.#length; index++) {
			const term = terms[index] ?? 0;
			const at = next[term] ?? 0;
			next[term] = at + 1;
			docs[at] = this.#docs[index] ?? 0;
			values[at] = this.#values[index] ?? 0;
		}
		return { starts, docs, values };
	}

	#grow(): void {
		this.#terms = widened(this.#terms);
		this.#docs = widened(this.#docs);
		this.#values = widened(this.#values);
	}
}
