import type { TrigramList } from "./trigramBlocks.ts";
import { widened } from "./widened.ts";

/**
 * Which files hold which three characters in a row, letters folded to lower case: the sieve before a regular
 * expression or a phrase is tried on text. Characters fall into 64 classes, so a trigram is a number below 2^18.
 */
export const TRIGRAM_COUNT: number = 1 << 18;

/** Pairs of a trigram and a file that are sorted one by one. */
const FEW = 50_000;
/** Files of a segment are numbered below this. */
const FILE_LIMIT = 1 << 16;

/** By UTF-16 unit; all beyond ASCII are of one class. */
const CLASS = new Uint8Array(1 << 16).fill(63);
for (let code = 0; code < 128; code++) CLASS[code] = classOf(code);

function classOf(code: number): number {
	if (code >= 97 && code <= 122) return code - 97;
	if (code >= 65 && code <= 90) return code - 65;
	if (code >= 48 && code <= 57) return 26 + code - 48;
	const mark = "_ \n\t().,;:=\"'/-*<>{}[]#$@&".indexOf(String.fromCharCode(code));
	return mark >= 0 ? 36 + mark : 63;
}

function classOfUnit(unit = 0): number {
	return CLASS[unit] ?? 63;
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

/** Collects the trigrams of a segment's files, which come in rising order. */
export class TrigramLog {
	/** A bit for each trigram of the file at hand: small enough to stay near the processor. */
	readonly #seen: Int32Array = new Int32Array(TRIGRAM_COUNT >> 5);
	/** Those of all files one after the other, and where those of each file end. */
	#keys: Uint32Array = new Uint32Array(1 << 18);
	#ends: Uint32Array = new Uint32Array(1 << 10);
	#fileCount = 0;
	#length = 0;

	/** `length` of `units` are the file's text. */
	addFile(file: number, units: Uint16Array, length: number): void {
		const seen = this.#seen.fill(0);
		let keys = this.#keys;
		let count = this.#length;
		let key = (classOfUnit(units[0]) << 6) | classOfUnit(units[1]);
		for (let index = 2; index < length; index++) {
			key = ((key << 6) | classOfUnit(units[index])) & (TRIGRAM_COUNT - 1);
			const some = seen[key >> 5] ?? 0;
			const bit = 1 << (key & 31);
			if ((some & bit) !== 0) continue;
			seen[key >> 5] = some | bit;
			if (count === keys.length) keys = widened(keys);
			keys[count++] = key;
		}
		this.#keys = keys;
		this.#length = count;
		this.#endFile(file);
	}

	clear(): void {
		this.#length = 0;
		this.#fileCount = 0;
	}

	/** The files of each trigram that any has, by rising trigram; a list is valid until the next. */
	*lists(): Generator<TrigramList> {
		if (this.#length < FEW) {
			yield* this.#fewLists();
			return;
		}
		const starts = new Uint32Array(TRIGRAM_COUNT + 1);
		for (let index = 0; index < this.#length; index++) {
			const slot = (this.#keys[index] ?? 0) + 1;
			starts[slot] = (starts[slot] ?? 0) + 1;
		}
		for (let key = 0; key < TRIGRAM_COUNT; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
		const next = starts.slice(0, TRIGRAM_COUNT);
		const files = new Uint16Array(this.#length);
		for (let file = 0, index = 0; file < this.#fileCount; file++) {
			for (const end = this.#ends[file] ?? 0; index < end; index++) {
				const key = this.#keys[index] ?? 0;
				const at = next[key] ?? 0;
				files[at] = file;
				next[key] = at + 1;
			}
		}
		for (let trigram = 0; trigram < TRIGRAM_COUNT; trigram++) {
			const from = starts[trigram] ?? 0;
			const to = starts[trigram + 1] ?? 0;
			if (from < to) yield { trigram, files: files.subarray(from, to) };
		}
	}

	/** Sorted pair by pair: a table of all trigrams would be most of the cost of one edited file. */
	*#fewLists(): Generator<TrigramList> {
		const pairs = new Float64Array(this.#length);
		for (let file = 0, index = 0; file < this.#fileCount; file++) {
			for (const end = this.#ends[file] ?? 0; index < end; index++)
				pairs[index] = (this.#keys[index] ?? 0) * FILE_LIMIT + file;
		}
		pairs.sort();
		const files = Uint16Array.from(pairs, (pair) => pair % FILE_LIMIT);
		for (let from = 0, to = 0; from < pairs.length; from = to) {
			const trigram = Math.floor((pairs[from] ?? 0) / FILE_LIMIT);
			while (to < pairs.length && Math.floor((pairs[to] ?? 0) / FILE_LIMIT) === trigram) to += 1;
			yield { trigram, files: files.subarray(from, to) };
		}
	}

	/** Files that were passed over have none. */
	#endFile(file: number): void {
		if (file >= this.#ends.length) this.#ends = widened(this.#ends, file + 1);
		this.#ends.fill(this.#ends[this.#fileCount - 1] ?? 0, this.#fileCount, file);
		this.#ends[file] = this.#length;
		this.#fileCount = file + 1;
	}
}
