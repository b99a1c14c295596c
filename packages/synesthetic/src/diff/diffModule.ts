import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

type DiffExports = {
	readonly memory: { readonly buffer: ArrayBuffer };
	reserve(length: number): number;
	textAt(): number;
	operationsAt(): number;
	setSeed(low: number, high: number): void;
	diff(length: number): number;
	spaced(): number;
};

/** The compiler knows WebAssembly only with the whole DOM: these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object) => { readonly exports: DiffExports };
};

/** The module made of `assembly`, and what it found in the text it was given last. */
export class DiffModule {
	readonly #exports: DiffExports;
	readonly #textAt: number;
	#bytes: Buffer = Buffer.alloc(0);
	/** Its memory in words of four bytes. */
	words: Uint32Array = new Uint32Array();

	constructor(code: Uint8Array) {
		this.#exports = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
		this.#textAt = this.#exports.textAt();
		const seed = randomBytes(8);
		this.#exports.setSeed(seed.readUInt32LE(0), seed.readUInt32LE(4));
	}

	/** Compares the members `base` and `new` of the text between two offsets: the number of operations, or -1. */
	compare(bytes: Buffer, from: number, to: number): number {
		if (this.#exports.reserve(to - from) === 0) return -1;
		const { buffer } = this.#exports.memory;
		// Memory that grows is another.
		if (this.words.buffer !== buffer) {
			this.#bytes = Buffer.from(buffer);
			this.words = new Uint32Array(buffer);
		}
		bytes.copy(this.#bytes, this.#textAt, from, to);
		return this.#exports.diff(to - from);
	}

	/** The word where operations begin. */
	get operationsAt(): number {
		return this.#exports.operationsAt() / 4;
	}

	/** Whether white space lies between the values of the text. */
	get spaced(): boolean {
		return this.#exports.spaced() !== 0;
	}

	/** The text of a value. */
	sourceOf(value: number): string {
		const { words } = this;
		const text = this.#textAt;
		return this.#bytes.toString("utf8", text + (words[value / 4] ?? 0), text + (words[value / 4 + 1] ?? 0));
	}
}

let loaded: DiffModule | undefined;
let failed = false;

/** Loaded when first asked for. Undefined where it cannot run: on a processor or under a policy that forbids it. */
export function diffModule(): DiffModule | undefined {
	if (loaded !== undefined || failed) return loaded;
	try {
		loaded = new DiffModule(readFileSync(new URL("../../dist/diff/diff.wasm", import.meta.url)));
	} catch {
		failed = true;
	}
	return loaded;
}
