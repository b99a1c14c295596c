import { ByteLog, ByteReader, DamagedBlock } from "./bytes.ts";
import { compress, decompress } from "./compression.ts";

/**
 * Texts or details of files. Small files share a row, because alone they compress badly and leave much of a page empty.
 * A row consists of the number of its files, their lengths, and the files.
 */
const BLOCK_BYTES = 32 * 1024;
const MOST_FILES = 256;

export type FileRow = { readonly first: number; readonly block: Uint8Array };

/** Packs the files of a segment, in the order of their numbers, into rows. */
export class FileBlocks {
	readonly #rows: FileRow[] = [];
	#files: Uint8Array[] = [];
	#bytes = 0;
	#first = 0;

	add(file: Uint8Array): void {
		if (this.#files.length === MOST_FILES || this.#bytes + file.length > BLOCK_BYTES) this.#endRow();
		this.#files.push(file);
		this.#bytes += file.length;
	}

	finish(): readonly FileRow[] {
		this.#endRow();
		return this.#rows;
	}

	/** Compresses right away, because the plain text of a segment would dominate a build's memory. */
	#endRow(): void {
		if (this.#files.length === 0) return;
		const head = new ByteLog();
		head.varint(this.#files.length);
		for (const { length } of this.#files) head.varint(length);
		this.#rows.push({ first: this.#first, block: compress(Buffer.concat([head.written(), ...this.#files])) });
		this.#first += this.#files.length;
		this.#files = [];
		this.#bytes = 0;
	}
}

/** The files of a row. */
export class FileTable {
	readonly #bytes: Buffer;
	/** The start of each file, then the end of the last. */
	readonly #starts: readonly number[];

	constructor(block: Uint8Array) {
		this.#bytes = decompress(block);
		const reader = new ByteReader(this.#bytes);
		const lengths = Array.from({ length: reader.varint() }, () => reader.varint());
		const starts = [reader.at];
		for (const [place, length] of lengths.entries()) starts.push((starts[place] ?? 0) + length);
		if (starts.at(-1) !== this.#bytes.length) throw new DamagedBlock("a block of files is damaged");
		this.#starts = starts;
	}

	get length(): number {
		return this.#starts.length - 1;
	}

	at(place: number): Buffer {
		return this.#bytes.subarray(this.#starts[place], this.#starts[place + 1]);
	}
}
