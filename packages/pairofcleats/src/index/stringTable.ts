/** Longest string kept, in bytes: its length takes two. */
const LONGEST = 0xffff;

/** Many short strings in one block of UTF-8 behind their lengths; each is decoded when it is asked for. */
export class StringTable {
	readonly #bytes: Buffer;
	/** Where each begins, and at last where all end. */
	readonly #starts: Uint32Array;

	constructor(block: Uint8Array) {
		const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
		const count = bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
		const text = 4 + 2 * count;
		if (count < 0 || text > bytes.length) throw new RangeError("a block of names is damaged");
		this.#bytes = bytes.subarray(text);
		this.#starts = new Uint32Array(count + 1);
		let at = 0;
		for (let index = 0; index < count; index++) {
			at += (bytes[4 + 2 * index] ?? 0) | ((bytes[5 + 2 * index] ?? 0) << 8);
			this.#starts[index + 1] = at;
		}
		if (at !== this.#bytes.length) throw new RangeError("a block of names is damaged");
	}

	get length(): number {
		return this.#starts.length - 1;
	}

	at(index: number): string {
		const start = this.#starts[index];
		const end = this.#starts[index + 1];
		return start === end ? "" : this.#bytes.toString("utf8", start, end);
	}
}

/** The block that a table reads. */
export function packStrings(strings: readonly string[]): Uint8Array {
	const texts = strings.map((text) => Buffer.from(text, "utf8").subarray(0, LONGEST));
	const head = Buffer.alloc(4 + 2 * texts.length);
	head.writeUInt32LE(texts.length);
	for (const [index, { length }] of texts.entries()) head.writeUInt16LE(length, 4 + 2 * index);
	return Buffer.concat([head, ...texts]);
}
