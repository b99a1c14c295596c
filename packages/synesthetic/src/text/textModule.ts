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
	/** Its memory in words of four bytes. */
	words: Uint32Array = new Uint32Array();

	constructor(code: Uint8Array) {
		this.#exports = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
		this.#textAt = this.#exports.textAt();
		this.#allotted = this.#exports.rulesAt();
		this.#code = createHash("sha256").update(code).digest("base64");
		this.#setSeed(randomBytes(8));
		this.#reserve(0);
	}

	/** Reads the text between two offsets: false when it is no object, or one that only a parser understands. */
	read(bytes: Buffer, from: number, to: number): boolean {
		if (!this.#reserve(to - from)) return false;
		bytes.copy(this.#bytes, this.#textAt, from, to);
		return this.#exports.read(to - from) !== 0;
	}

	/** Whether no object in what was read repeats a name, or writes one with an escape. */
	get isPlain(): boolean {
		return this.#exports.plain() !== 0;
	}

	/** The object that was read. */
	get root(): number {
		return this.#exports.root();
	}

	/** A member of the object that was read, 0 when it has none. */
	member(name: MemberName): number {
		return this.#exports.member(name.letters, name.length);
	}

	/** How many operations turn one value into another, or -1 where only a parser can tell. */
	compare(from: number, to: number): number {
		return this.#exports.compare(from, to);
	}

	/**
	 * The result that holds the patch those operations make, undefined where they are many, or some ask for a parser. Its
	 * bytes last until another text is read.
	 */
	compose(count: number): Buffer | undefined {
		const length = this.#exports.compose(count);
		const at = this.#exports.resultAt();
		return length === 0 ? undefined : this.#bytes.subarray(at, at + length);
	}

	/** The word where those operations begin. */
	get operationsAt(): number {
		return this.#exports.operationsAt() / 4;
	}

	/** Whether a value surely meets a rule; a member of the value named by a text of the rules is passed over. */
	surelyMeets(rule: number, value: number, passedOver: number): boolean {
		return this.#exports.surelyMeets(rule, value, passedOver) !== 0;
	}

	/** Marks what the rule leaves in doubt of a value; false where that is too much to be read in pieces. */
	findDoubts(rule: number, value: number, passedOver: number): boolean {
		return this.#exports.findDoubts(rule, value, passedOver) !== 0;
	}

	/** Memory for rules, all zeros and never given back. @throws RangeError when there is none left. */
	allot(bytes: number): number {
		const at = this.#allotted;
		if (at + bytes > this.#exports.rulesEnd()) throw new RangeError("no room for more rules");
		this.#allotted += (bytes + 3) & ~3;
		return at;
	}

	/** Puts bytes where they were allotted. */
	keep(at: number, bytes: Uint8Array): void {
		this.#bytes.set(bytes, at);
	}

	get ruleMemory(): RuleMemory {
		const rules = this.#bytes.toString("base64", this.#exports.rulesAt(), this.#allotted);
		return { code: this.#code, seed: this.#seed.toString("base64"), rules };
	}

	/** Takes another's rules, to the places they have there, in place of all before; false when it is of other code. */
	takeRules({ code, seed, rules }: RuleMemory): boolean {
		if (code !== this.#code) return false;
		const bytes = Buffer.from(rules, "base64");
		this.#bytes.fill(0, this.#exports.rulesAt(), this.#allotted);
		this.#allotted = this.#exports.rulesAt();
		this.keep(this.allot(bytes.length), bytes);
		this.#setSeed(Buffer.from(seed, "base64"));
		return true;
	}

	/** Where the module looks for a text in a table of names: a number of which the lowest bits count. */
	placeOf(text: number): number {
		return this.#exports.placeOf(text);
	}

	/** Whether white space lies between the values of the text. */
	get spaced(): boolean {
		return this.#exports.spaced() !== 0;
	}

	/** A string that was read, where it is one and holds no escape. */
	stringAt(value: number): string | undefined {
		const text = value === 0 ? "" : this.sourceOf(value);
		return text.startsWith('"') && !text.includes("\\") ? text.slice(1, -1) : undefined;
	}

	/** The text of a value. */
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

/** A member's name as the module compares it: with its quotes, eight bytes at most. */
export type MemberName = { readonly letters: bigint; readonly length: number };

export function memberName(name: string): MemberName {
	const bytes = Buffer.alloc(8);
	return { length: bytes.write(JSON.stringify(name)), letters: bytes.readBigUInt64LE() };
}

let loaded: TextModule | undefined;
let failed = false;

/** Loaded when first asked for. Undefined where it cannot run: on a processor or under a policy that forbids it. */
export function textModule(): TextModule | undefined {
	if (loaded !== undefined || failed) return loaded;
	try {
		loaded = new TextModule(readFileSync(new URL("../../dist/text/text.wasm", import.meta.url)));
	} catch {
		failed = true;
	}
	return loaded;
}
