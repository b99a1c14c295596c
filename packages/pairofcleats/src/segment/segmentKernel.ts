import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { classifyCharacter, splitIntoTerms } from "../tokens/words.ts";
import { STEPS } from "./postings.ts";
import { CLASSES, TRIGRAM_COUNT, type TrigramList } from "./trigrams.ts";

/** The exports of `assembly/segment`. Offsets and lengths are in bytes unless noted. */
type KernelExports = {
	readonly memory: { readonly buffer: ArrayBuffer };
	setSeed(seed: number): void;
	textAt(units: number): number;
	asideAt(units: number): number;
	termPutAt(): number;
	addTermOfWord(length: number): void;
	stepsAt(): number;
	classesAt(): number;
	readWords(from: number, to: number): number;
	foundAt(): number;
	wordAt(word: number): number;
	/** In UTF-16 units. */
	wordLength(word: number): number;
	termsOfWord(word: number): number;
	/** Returns the number of words read. */
	countBody(from: number, to: number): number;
	bodyLength(): number;
	twinLow(): number;
	twinHigh(): number;
	markText(from: number, to: number, field: number): void;
	mark(term: number, fields: number): void;
	writeDocument(document: number): void;
	newTerm(length: number): number;
	termAt(term: number): number;
	termLength(term: number): number;
	sortTerms(): number;
	orderedTerm(index: number): number;
	postingCount(): number;
	addPosting(term: number, value: number): void;
	endRun(document: number): void;
	sortPostings(): void;
	countOf(term: number): number;
	encode(term: number): number;
	encodedAt(): number;
	noteTrigrams(from: number, to: number): void;
	endFile(file: number): void;
	trigramCount(): number;
	trigramsAt(): number;
	trigramEnd(file: number): number;
	sortTrigrams(): void;
	trigramStartsAt(): number;
	trigramFilesAt(): number;
	expect(postings: number, trigrams: number): void;
	clear(): void;
};

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: KernelExports };
};

let compiled: object | undefined;

/** The last returned kernel, for reuse: creating one per edit would burden the garbage collector. */
let spare: SegmentKernel | undefined;
/** A larger kernel is discarded, because WebAssembly memory cannot shrink. */
const MOST_KEPT = 8 * 1024 * 1024;

export function takeKernel(): SegmentKernel {
	const kernel = spare ?? new SegmentKernel();
	spare = undefined;
	return kernel;
}

/** Returns a kernel to the pool. */
export function returnKernel(kernel: SegmentKernel): void {
	kernel.exports.clear();
	if (kernel.bytes.length <= MOST_KEPT) spare = kernel;
}

/**
 * The hot loops over every character and posting of a segment, compiled from `assembly/segment`. There is no JavaScript
 * fallback, since parsing needs WebAssembly as well.
 */
export class SegmentKernel {
	readonly exports: KernelExports;
	#bytes: Buffer = Buffer.alloc(0);

	constructor() {
		compiled ??= new WebAssembly.Module(readFileSync(new URL("../../dist/segment/kernel.wasm", import.meta.url)));
		const host = { kindOf: classifyCharacter, splitWord: (at: number, units: number) => this.#splitWord(at, units) };
		this.exports = new WebAssembly.Instance(compiled, { host }).exports;
		this.exports.setSeed(randomBytes(4).readUInt32LE());
		this.bytes.set(STEPS, this.exports.stepsAt());
		this.bytes.set(CLASSES, this.exports.classesAt());
	}

	/** The module's memory. Growing it detaches the buffer, so the view is recreated. */
	get bytes(): Buffer {
		const { buffer } = this.exports.memory;
		if (this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer);
		return this.#bytes;
	}

	/** Replaces the file's text; returns its address. */
	load(text: string): number {
		return this.#put(text, this.exports.textAt(text.length));
	}

	/** Loads another text next to the file's; returns its address. */
	loadAside(text: string): number {
		return this.#put(text, this.exports.asideAt(text.length));
	}

	/** A view of numbers in memory, valid until the next call. */
	numbers(at: number, count: number): Uint32Array {
		return new Uint32Array(this.exports.memory.buffer, at, count);
	}

	wordText(word: number): string {
		const at = this.exports.wordAt(word);
		return this.bytes.toString("utf16le", at, at + 2 * this.exports.wordLength(word));
	}

	#put(text: string, at: number): number {
		this.bytes.write(text, at, "utf16le");
		return at;
	}

	#splitWord(at: number, units: number): void {
		const put = this.exports.termPutAt();
		for (const term of splitIntoTerms(this.bytes.toString("utf16le", at, at + 2 * units)))
			this.exports.addTermOfWord(this.bytes.write(term, put, "utf8"));
	}
}

/** Fewer (trigram, file) pairs than this are sorted directly. */
const FEW = 50_000;
/** Files of a segment are numbered below this. */
const FILE_LIMIT = 1 << 16;

/**
 * The files of each trigram, in ascending order of trigram. A list is valid until the next one is produced, and no file
 * may be added in the meantime.
 */
export function* listTrigrams(kernel: SegmentKernel): Generator<TrigramList> {
	const length = kernel.exports.trigramCount();
	if (length < FEW) {
		yield* fewLists(kernel, length);
		return;
	}
	kernel.exports.sortTrigrams();
	const starts = kernel.numbers(kernel.exports.trigramStartsAt(), TRIGRAM_COUNT + 1);
	const files = new Uint16Array(starts.buffer, kernel.exports.trigramFilesAt(), length);
	for (let trigram = 0; trigram < TRIGRAM_COUNT; trigram++) {
		const from = starts[trigram] ?? 0;
		const to = starts[trigram + 1] ?? 0;
		if (from < to) yield { trigram, files: files.subarray(from, to) };
	}
}

/** For a single edited file, a table of all trigrams would cost more than everything else. */
function* fewLists(kernel: SegmentKernel, length: number): Generator<TrigramList> {
	const keys = kernel.numbers(kernel.exports.trigramsAt(), length);
	const pairs = new Float64Array(length);
	for (let file = 0, index = 0; index < length; file++) {
		for (const end = kernel.exports.trigramEnd(file); index < end; index++)
			pairs[index] = (keys[index] ?? 0) * FILE_LIMIT + file;
	}
	pairs.sort();
	const files = Uint16Array.from(pairs, (pair) => pair % FILE_LIMIT);
	for (let from = 0, to = 0; from < pairs.length; from = to) {
		const trigram = Math.floor((pairs[from] ?? 0) / FILE_LIMIT);
		while (to < pairs.length && Math.floor((pairs[to] ?? 0) / FILE_LIMIT) === trigram) to += 1;
		yield { trigram, files: files.subarray(from, to) };
	}
}
