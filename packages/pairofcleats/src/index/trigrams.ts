import { widened } from "./widened.ts";

/**
 * Which files hold which three characters in a row, letters folded to lower case: the sieve before a regular
 * expression or a phrase is tried on text. Characters fall into 64 classes, so a trigram is a number below 2^18.
 */
export const TRIGRAM_COUNT: number = 1 << 18;
/** Trigrams are stored in blocks, to keep the number of rows small. */
export const BLOCK_BITS = 7;
export const BLOCK_COUNT: number = TRIGRAM_COUNT >> BLOCK_BITS;

const CLASS = new Uint8Array(128);
for (let code = 0; code < 128; code++) CLASS[code] = classOf(code);

function classOf(code: number): number {
	if (code >= 97 && code <= 122) return code - 97;
	if (code >= 65 && code <= 90) return code - 65;
	if (code >= 48 && code <= 57) return 26 + code - 48;
	const mark = "_ \n\t().,;:=\"'/-*<>{}[]#$@&".indexOf(String.fromCharCode(code));
	return mark >= 0 ? 36 + mark : 63;
}

function classOfUnit(unit = 0): number {
	return unit < 128 ? (CLASS[unit] ?? 63) : 63;
}

/** The trigrams of a text, each once. */
export function trigramsOf(text: string): Set<number> {
	const found = new Set<number>();
	const classAt = (index: number): number => classOfUnit(text.charCodeAt(index));
	for (let index = 2; index < text.length; index++) {
		found.add((classAt(index - 2) << 12) | (classAt(index - 1) << 6) | classAt(index));
	}
	return found;
}

/** Collects (trigram, file) pairs of a segment; files come in rising order. */
export class TrigramLog {
	readonly #seen: Uint32Array = new Uint32Array(TRIGRAM_COUNT);
	#keys: Uint32Array = new Uint32Array(1 << 18);
	#files: Uint16Array = new Uint16Array(1 << 18);
	#length = 0;
	#stamp = 0;

	/** `length` of `units` are the file's text. */
	addFile(file: number, units: Uint16Array, length: number): void {
		this.#stamp += 1;
		if (length < 3) return;
		let key = (classOfUnit(units[0]) << 6) | classOfUnit(units[1]);
		for (let index = 2; index < length; index++) {
			key = ((key << 6) | classOfUnit(units[index])) & (TRIGRAM_COUNT - 1);
			if (this.#seen[key] === this.#stamp) continue;
			this.#seen[key] = this.#stamp;
			if (this.#length === this.#keys.length) this.#grow();
			this.#keys[this.#length] = key;
			this.#files[this.#length] = file;
			this.#length += 1;
		}
	}

	clear(): void {
		this.#length = 0;
	}

	/** Yields each block that has anything in it: for each of its trigrams, how many files, then their gaps. */
	*blocks(): Generator<{ block: number; bytes: Uint8Array }> {
		const starts = new Uint32Array(TRIGRAM_COUNT + 1);
		for (let index = 0; index < this.#length; index++) {
			const slot = (this.#keys[index] ?? 0) + 1;
			starts[slot] = (starts[slot] ?? 0) + 1;
		}
		for (let key = 0; key < TRIGRAM_COUNT; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
		const next = starts.slice(0, TRIGRAM_COUNT);
		const files = new Uint16Array(this.#length);
		for (let index = 0; index < this.#length; index++) {
			const key = this.#keys[index] ?? 0;
			const at = next[key] ?? 0;
			files[at] = this.#files[index] ?? 0;
			next[key] = at + 1;
		}
		for (let block = 0; block < BLOCK_COUNT; block++) {
			const from = block << BLOCK_BITS;
			const to = from + (1 << BLOCK_BITS);
			if (starts[from] === starts[to]) continue;
			const bytes: number[] = [];
			for (let key = from; key < to; key++) pushList(bytes, files, starts[key] ?? 0, starts[key + 1] ?? 0);
			yield { block, bytes: Uint8Array.from(bytes) };
		}
	}

	#grow(): void {
		this.#keys = widened(this.#keys);
		this.#files = widened(this.#files);
	}
}

export function packBlock(lists: readonly ArrayLike<number>[]): Uint8Array {
	const bytes: number[] = [];
	for (const files of lists) pushList(bytes, files, 0, files.length);
	return Uint8Array.from(bytes);
}

function pushList(bytes: number[], files: ArrayLike<number>, from: number, to: number): void {
	pushVarint(bytes, to - from);
	let last = -1;
	for (let index = from; index < to; index++) {
		const file = files[index] ?? 0;
		pushVarint(bytes, file - last - 1);
		last = file;
	}
}

/** All lists of a block, by the low bits of the trigram. */
export function unpackBlock(bytes: Uint8Array): Uint16Array[] {
	const lists: Uint16Array[] = [];
	let at = 0;
	const read = (): number => {
		let byte = bytes[at++] ?? 0;
		let value = byte & 0x7f;
		for (let shift = 7; byte >= 0x80; shift += 7) {
			byte = bytes[at++] ?? 0;
			value |= (byte & 0x7f) << shift;
		}
		return value;
	};
	for (let key = 0; key < 1 << BLOCK_BITS; key++) {
		const count = read();
		if (count > bytes.length) throw new RangeError("trigram block is damaged");
		const files = new Uint16Array(count);
		let last = -1;
		for (let index = 0; index < count; index++) {
			last += read() + 1;
			files[index] = last;
		}
		lists.push(files);
	}
	if (at !== bytes.length) throw new RangeError("trigram block is damaged");
	return lists;
}

function pushVarint(bytes: number[], value: number): void {
	let rest = value;
	while (rest >= 0x80) {
		bytes.push((rest & 0x7f) | 0x80);
		rest >>>= 7;
	}
	bytes.push(rest);
}
