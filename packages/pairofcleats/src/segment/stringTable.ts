import { DamagedBlock, widenArray } from "./bytes.ts";

/** Longest string stored, in bytes: lengths are 16 bits. */
const LONGEST = 0xffff;
/** Most UTF-8 bytes per UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3;

/** Many short strings in one block: their lengths, then their UTF-8 bytes. Strings are decoded on demand. */
export class StringTable {
	readonly #bytes: Buffer;
	/** The start of each string, then the end of the last. */
	readonly #starts: Uint32Array;

	constructor(block: Uint8Array) {
		const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
		const count = bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
		const text = 4 + 2 * count;
		if (count < 0 || text > bytes.length) throw new DamagedBlock("a block of names is damaged");
		this.#bytes = bytes.subarray(text);
		this.#starts = new Uint32Array(count + 1);
		let at = 0;
		for (let index = 0; index < count; index++) {
			at += (bytes[4 + 2 * index] ?? 0) | ((bytes[5 + 2 * index] ?? 0) << 8);
			this.#starts[index + 1] = at;
		}
		if (at !== this.#bytes.length) throw new DamagedBlock("a block of names is damaged");
	}

	get length(): number {
		return this.#starts.length - 1;
	}

	at(index: number): string {
		const start = this.#starts[index];
		const end = this.#starts[index + 1];
		return start === end ? "" : this.#bytes.toString("utf8", start, end);
	}

	/**
	 * A byte of a string, from its end if the place is negative, 0 beyond it: the outermost ones rule most strings out
	 * without decoding them.
	 */
	byteAt(index: number, place: number): number {
		const start = this.#starts[index] ?? 0;
		const end = this.#starts[index + 1] ?? 0;
		const at = place < 0 ? end + place : start + place;
		return at < start || at >= end ? 0 : (this.#bytes[at] ?? 0);
	}
}

/** Strings under construction, encoded right away so that no string object per chunk is kept. */
export class StringLog {
	#text: Buffer = Buffer.allocUnsafeSlow(1 << 16);
	#lengths: Uint16Array = new Uint16Array(1 << 10);
	#textLength = 0;
	#count = 0;

	/** Replaces lone surrogates, which UTF-8 cannot store. */
	add(text: string): void {
		if (this.#count === this.#lengths.length) this.#lengths = widenArray(this.#lengths);
		const most = this.#textLength + text.length * MOST_BYTES_OF_UNIT;
		if (most > this.#text.length) this.#widen(most);
		const length = Math.min(this.#text.write(text, this.#textLength, "utf8"), LONGEST);
		this.#lengths[this.#count++] = length;
		this.#textLength += length;
	}

	/** The block that `StringTable` reads. */
	packed(): Uint8Array {
		const head = Buffer.alloc(4 + 2 * this.#count);
		head.writeUInt32LE(this.#count);
		for (let index = 0; index < this.#count; index++) head.writeUInt16LE(this.#lengths[index] ?? 0, 4 + 2 * index);
		return Buffer.concat([head, this.#text.subarray(0, this.#textLength)]);
	}

	clear(): void {
		this.#textLength = 0;
		this.#count = 0;
	}

	#widen(least: number): void {
		const wider = Buffer.allocUnsafeSlow(Math.max(this.#text.length * 2, least));
		this.#text.copy(wider, 0, 0, this.#textLength);
		this.#text = wider;
	}
}
