import { ByteLog, ByteReader, DamagedBlock } from "./bytes.ts";

/**
 * Trigrams are three adjacent characters in lower case. They narrow the files before a regular expression or a phrase
 * is run on text. Characters fall into 64 classes, so a trigram is a number below 2^18.
 */
export const TRIGRAM_COUNT: number = 1 << 18;

/** The class of all non-ASCII characters and of the remaining ASCII ones. */
const OTHER = 63;

/** Class by ASCII code. */
export const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

function classOf(code: number): number {
	if (code >= 97 && code <= 122) return code - 97;
	if (code >= 65 && code <= 90) return code - 65;
	if (code >= 48 && code <= 57) return 26 + code - 48;
	const mark = "_ \n\t().,;:=\"'/-*<>{}[]#$@&".indexOf(String.fromCharCode(code));
	return mark >= 0 ? 36 + mark : OTHER;
}

/** The trigrams of a text, each once. */
export function listTrigramsOf(text: string): Set<number> {
	const found = new Set<number>();
	const classAt = (index: number): number => CLASSES[text.charCodeAt(index)] ?? OTHER;
	for (let index = 2; index < text.length; index++) {
		found.add((classAt(index - 2) << 12) | (classAt(index - 1) << 6) | classAt(index));
	}
	return found;
}

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
