import { compress, decompress } from "./blockCompression.ts";
import { ByteLog, ByteReader } from "./varint.ts";

/**
 * Texts or details of files, the small ones several to a row: alone they would compress badly and leave much of a page
 * empty. A row says how many files it has and how long they are, then come the files.
 */
const BLOCK_BYTES = 32 * 1024;
const MOST_FILES = 256;

export type FileRow = { readonly first: number; readonly block: Uint8Array };

/** Takes the files of a segment in the order of their numbers and hands on rows. */
export class FileBlocks {
	readonly #insert: (row: FileRow) => void;
	#files: Uint8Array[] = [];
	#bytes = 0;
	#first = 0;

	constructor(insert: (row: FileRow) => void) {
		this.#insert = insert;
	}

	add(file: Uint8Array): void {
		if (this.#files.length === MOST_FILES || this.#bytes + file.length > BLOCK_BYTES) this.flush();
		this.#files.push(file);
		this.#bytes += file.length;
	}

	flush(): void {
		if (this.#files.length === 0) return;
		const head = new ByteLog();
		head.varint(this.#files.length);
		for (const { length } of this.#files) head.varint(length);
		this.#insert({ first: this.#first, block: compress(Buffer.concat([head.written(), ...this.#files])) });
		this.#first += this.#files.length;
		this.#files = [];
		this.#bytes = 0;
	}
}

/** The files of a row. */
export class FileTable {
	readonly #bytes: Buffer;
	/** Where each begins, and at last where all end. */
	readonly #starts: readonly number[];

	constructor(block: Uint8Array) {
		this.#bytes = decompress(block);
		const reader = new ByteReader(this.#bytes);
		const lengths = Array.from({ length: reader.varint() }, () => reader.varint());
		const starts = [reader.at];
		for (const [place, length] of lengths.entries()) starts.push((starts[place] ?? 0) + length);
		if (starts.at(-1) !== this.#bytes.length) throw new RangeError("a block of files is damaged");
		this.#starts = starts;
	}

	get length(): number {
		return this.#starts.length - 1;
	}

	at(place: number): Buffer {
		return this.#bytes.subarray(this.#starts[place], this.#starts[place + 1]);
	}
}
