import { DamagedBlock } from "./damagedBlock.ts";
import { ByteLog, ByteReader } from "./varint.ts";

/**
 * A row holds the file lists of many trigrams. Each list consists of the difference from the previous trigram, the
 * number of files, and the gaps between them.
 */
const BLOCK_BYTES = 1_300;

export type TrigramRow = { readonly first: number; readonly block: Uint8Array };
export type TrigramList = { readonly trigram: number; readonly files: Uint16Array };

/** Packs lists, given in ascending order of trigram, into rows. */
export class TrigramBlocks {
	readonly #insert: (row: TrigramRow) => void;
	readonly #log = new ByteLog();
	#first = 0;
	#last = 0;

	constructor(insert: (row: TrigramRow) => void) {
		this.#insert = insert;
	}

	add(trigram: number, files: ArrayLike<number>): void {
		if (this.#log.length > 0 && this.#log.length + files.length > BLOCK_BYTES) this.flush();
		if (this.#log.length === 0) {
			this.#first = trigram;
			this.#last = trigram;
		}
		this.#log.varint(trigram - this.#last);
		this.#last = trigram;
		this.#log.varint(files.length);
		let last = -1;
		for (let index = 0; index < files.length; index++) {
			const file = files[index] ?? 0;
			this.#log.varint(file - last - 1);
			last = file;
		}
	}

	flush(): void {
		if (this.#log.length > 0) this.#insert({ first: this.#first, block: this.#log.written() });
		this.#log.clear();
	}
}

/** All lists of a row in order. */
export function* eachList({ first, block }: TrigramRow): Generator<TrigramList> {
	const reader = new ByteReader(block);
	let trigram = first;
	while (!reader.done) {
		trigram += reader.varint();
		yield { trigram, files: readFiles(reader, checked(reader.varint(), block)) };
	}
}

/** The files of one trigram of a row. */
export function findList({ first, block }: TrigramRow, wanted: number): Uint16Array | undefined {
	const reader = new ByteReader(block);
	for (let trigram = first; !reader.done; ) {
		trigram += reader.varint();
		if (trigram > wanted) return undefined;
		const count = checked(reader.varint(), block);
		if (trigram === wanted) return readFiles(reader, count);
		for (let file = 0; file < count; file++) reader.varint();
	}
	return undefined;
}

function readFiles(reader: ByteReader, count: number): Uint16Array {
	const files = new Uint16Array(count);
	let last = -1;
	for (let index = 0; index < count; index++) {
		last += reader.varint() + 1;
		files[index] = last;
	}
	return files;
}

/** A file takes at least one byte, so a larger count means damage. */
function checked(count: number, block: Uint8Array): number {
	if (count > block.length) throw new DamagedBlock("a block of the index is damaged");
	return count;
}
