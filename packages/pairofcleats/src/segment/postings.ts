import { DamagedBlock, widenArray } from "./bytes.ts";

/**
 * Encodes a posting list: for each document in ascending order, a varint with the gap to the previous one. Its lowest
 * bit says whether a value byte follows. The low half of that byte is the term's count in the body, the high half tells
 * which fields contain it. Most terms, and all facts, occur once in the body and in no field, and need no value byte.
 */
const ONCE = 1;
export const IN_NAME = 0x10;
export const IN_DOC = 0x20;
export const IN_STEM = 0x40;
export const IN_FOLDER = 0x80;

/** Counts are stored as sixteen steps: above ten, small differences do not affect ranking. */
const STEP_STARTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 19, 26, 41] as const;
/** The count that each step stands for. */
export const STEP_COUNTS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 22, 32, 56];

export function countToStep(count: number): number {
	if (count <= 10) return count;
	let step = 11;
	while (step < 15 && count >= (STEP_STARTS[step + 1] ?? 0)) step += 1;
	return step;
}

/** The step of each count; the last entry covers all greater counts. */
export const STEPS: Uint8Array = Uint8Array.from({ length: 64 }, (_, count) => countToStep(count));

export type Postings = { readonly docs: Uint32Array; readonly values: Uint8Array };

/** Appends to a growing buffer. One encoder serves a whole segment. */
export class PostingEncoder {
	#bytes: Uint8Array = new Uint8Array(1 << 16);
	#length = 0;
	#last = 0;

	start(): void {
		this.#length = 0;
		this.#last = -1;
	}

	add(doc: number, value: number): void {
		if (this.#length + 8 > this.#bytes.length) this.#grow();
		const told = value > ONCE ? 1 : 0;
		let gap = ((doc - this.#last - 1) << 1) | told;
		this.#last = doc;
		while (gap >= 0x80) {
			this.#bytes[this.#length++] = (gap & 0x7f) | 0x80;
			gap >>>= 7;
		}
		this.#bytes[this.#length++] = gap;
		if (told === 1) this.#bytes[this.#length++] = value;
	}

	/** A view that is valid until the next `start`. */
	finish(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	#grow(): void {
		this.#bytes = widenArray(this.#bytes);
	}
}

/** Decodes `count` postings. Throws if the bytes end early or a document is not below `limit`. */
export function decodePostings(bytes: Uint8Array, count: number, limit: number): Postings {
	// Checked before allocating, so that a damaged count does not exhaust memory.
	checkCount(bytes, count);
	const postings = { docs: new Uint32Array(count), values: new Uint8Array(count) };
	decodeInto(postings, 0, bytes, count, limit);
	return postings;
}

/** Decodes into existing columns, starting at an index. */
export function decodeInto(
	{ docs, values }: Postings,
	from: number,
	bytes: Uint8Array,
	count: number,
	limit: number,
): void {
	checkCount(bytes, count);
	let at = 0;
	let last = -1;
	for (let index = from; index < from + count; index++) {
		let byte = bytes[at++] ?? 0;
		let gap = byte & 0x7f;
		for (let shift = 7; byte >= 0x80; shift += 7) {
			byte = bytes[at++] ?? 0;
			gap |= (byte & 0x7f) << shift;
		}
		last += (gap >>> 1) + 1;
		docs[index] = last;
		values[index] = (gap & 1) === 1 ? (bytes[at++] ?? 0) : ONCE;
	}
	if (at !== bytes.length || last >= limit) throw new DamagedBlock("posting list is damaged");
}

function checkCount(bytes: Uint8Array, count: number): void {
	if (count > bytes.length) throw new DamagedBlock(`posting list of ${count} has only ${bytes.length} bytes`);
}
