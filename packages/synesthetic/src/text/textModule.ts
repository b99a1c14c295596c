import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

type TextExports = {
	readonly memory: { readonly buffer: ArrayBuffer };
	reserve(length: number): number;
	textAt(): number;
	root(): number;
	rulesAt(): number;
	rulesEnd(): number;
	operationsAt(): number;
	resultAt(): number;
	setSeed(low: number, high: number): void;
	read(length: number): number;
	plain(): number;
	member(name: bigint, length: number): number;
	compare(from: number, to: number): number;
	compose(count: number): number;
	placeOf(text: number): number;
	surelyMeets(rule: number, value: number, passedOver: number): number;
	findDoubts(rule: number, value: number, passedOver: number): number;
	spaced(): number;
};

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object) => { readonly exports: TextExports };
};

/** A module's rules, for another module of the same code to load; each field is base64. */
export type RuleMemory = { readonly code: string; readonly seed: string; readonly rules: string };

/** The module compiled from `assembly`: it holds one JSON text at a time and identifies values by their address. */
export class TextModule {
	readonly #exports: TextExports;
	readonly #textAt: number;
	/** Digest of the module's code: another version may lay out rules differently. */
	readonly #code: string;
	/** Random per module; the hash of names depends on it. */
	#seed: Buffer = Buffer.alloc(0);
	#bytes: Buffer = Buffer.alloc(0);
	#allotted: number;
	/** The module's memory in words of four bytes. */
	words: Uint32Array = new Uint32Array();

	constructor(code: Uint8Array) {
		this.#exports = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
		this.#textAt = this.#exports.textAt();
		this.#allotted = this.#exports.rulesAt();
		this.#code = createHash("sha256").update(code).digest("base64");
		this.#setSeed(randomBytes(8));
		this.#reserve(0);
	}

	/** Reads the text between two offsets; false if it is not an object, or one that only a full parser can read. */
	read(bytes: Buffer, from: number, to: number): boolean {
		if (!this.#reserve(to - from)) return false;
		bytes.copy(this.#bytes, this.#textAt, from, to);
		return this.#exports.read(to - from) !== 0;
	}

	/** True if no object in the text has a repeated name or a name with an escape. */
	get isPlain(): boolean {
		return this.#exports.plain() !== 0;
	}

	/** The address of the object that was read. */
	get root(): number {
		return this.#exports.root();
	}

	/** The address of a member of the object that was read; 0 if there is none. */
	member(name: MemberName): number {
		return this.#exports.member(name.letters, name.length);
	}

	/** How many operations turn one value into another; -1 if only a parser can tell. */
	compare(from: number, to: number): number {
		return this.#exports.compare(from, to);
	}

	/**
	 * Writes the operations found by `compare` as a tool's result. Undefined if they are too many, or some need a parser.
	 * The buffer is valid until another text is read.
	 */
	compose(count: number): Buffer | undefined {
		const length = this.#exports.compose(count);
		const at = this.#exports.resultAt();
		return length === 0 ? undefined : this.#bytes.subarray(at, at + length);
	}

	/** The index in `words` where the operations found by `compare` begin. */
	get operationsAt(): number {
		return this.#exports.operationsAt() / 4;
	}

	/** Whether a value surely meets a rule. `passedOver` is the address of the name of a member to ignore, or 0. */
	surelyMeets(rule: number, value: number, passedOver: number): boolean {
		return this.#exports.surelyMeets(rule, value, passedOver) !== 0;
	}

	/** Marks the parts of a value that a rule does not prove valid; false if they are too many to be read in pieces. */
	findDoubts(rule: number, value: number, passedOver: number): boolean {
		return this.#exports.findDoubts(rule, value, passedOver) !== 0;
	}

	/** Allocates memory for rules, all zeros and never freed. @throws RangeError when there is none left. */
	allot(bytes: number): number {
		const at = this.#allotted;
		if (at + bytes > this.#exports.rulesEnd()) throw new RangeError("no room for more rules");
		this.#allotted += (bytes + 3) & ~3;
		return at;
	}

	/** Writes bytes to memory from `allot`. */
	keep(at: number, bytes: Uint8Array): void {
		this.#bytes.set(bytes, at);
	}

	get ruleMemory(): RuleMemory {
		const rules = this.#bytes.toString("base64", this.#exports.rulesAt(), this.#allotted);
		return { code: this.#code, seed: this.#seed.toString("base64"), rules };
	}

	/** Replaces all rules with another module's, at the same addresses; false if that module has different code. */
	takeRules({ code, seed, rules }: RuleMemory): boolean {
		if (code !== this.#code) return false;
		const bytes = Buffer.from(rules, "base64");
		this.#bytes.fill(0, this.#exports.rulesAt(), this.#allotted);
		this.#allotted = this.#exports.rulesAt();
		this.keep(this.allot(bytes.length), bytes);
		this.#setSeed(Buffer.from(seed, "base64"));
		return true;
	}

	/** The hash of a text; its lowest bits are the text's place in a table of names. */
	placeOf(text: number): number {
		return this.#exports.placeOf(text);
	}

	/** Whether white space lies between the values of the text. */
	get spaced(): boolean {
		return this.#exports.spaced() !== 0;
	}

	/** The string at an address; undefined if the value is not a string, or contains an escape. */
	stringAt(value: number): string | undefined {
		const text = value === 0 ? "" : this.sourceOf(value);
		return text.startsWith('"') && !text.includes("\\") ? text.slice(1, -1) : undefined;
	}

	/** The JSON text of a value. */
	sourceOf(value: number): string {
		const { words } = this;
		const text = this.#textAt;
		return this.#bytes.toString("utf8", text + (words[value / 4] ?? 0), text + (words[value / 4 + 1] ?? 0));
	}

	#setSeed(seed: Buffer): void {
		this.#seed = seed;
		this.#exports.setSeed(seed.readUInt32LE(0), seed.readUInt32LE(4));
	}

	#reserve(length: number): boolean {
		if (this.#exports.reserve(length) === 0) return false;
		const { buffer } = this.#exports.memory;
		// Growing the memory detaches the old buffer.
		if (this.words.buffer !== buffer) {
			this.#bytes = Buffer.from(buffer);
			this.words = new Uint32Array(buffer);
		}
		return true;
	}
}

/** A member's name in the form that the module compares: with its quotes, eight bytes at most. */
export type MemberName = { readonly letters: bigint; readonly length: number };

export function memberName(name: string): MemberName {
	const bytes = Buffer.alloc(8);
	return { length: bytes.write(JSON.stringify(name)), letters: bytes.readBigUInt64LE() };
}

let loaded: TextModule | undefined;
let failed = false;

/** The text module, loaded on first use; undefined where the processor or a policy does not let it run. */
export function textModule(): TextModule | undefined {
	if (loaded !== undefined || failed) return loaded;
	try {
		loaded = new TextModule(readFileSync(new URL("../../dist/text/text.wasm", import.meta.url)));
	} catch {
		failed = true;
	}
	return loaded;
}
