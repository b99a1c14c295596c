import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** The module made of `assembly`, and its memory. Offsets are those of bytes. */
export type DiffModule = {
	readonly exports: DiffExports;
	readonly bytes: Buffer;
	readonly words: Uint32Array;
};

type DiffExports = {
	readonly memory: { readonly buffer: ArrayBuffer };
	textAt(): number;
	mostBytes(): number;
	operationsAt(): number;
	setSeed(low: number, high: number): void;
	/** Compares the members `base` and `new` of the text put there: the number of operations, or -1. */
	diff(length: number): number;
	spaced(): number;
};

/** The compiler knows WebAssembly only with the whole DOM: these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object) => { readonly exports: DiffExports };
};

let loaded: DiffModule | undefined;
let failed = false;

/** Loaded when first asked for. Undefined where it cannot run: on a processor or under a policy that forbids it. */
export function diffModule(): DiffModule | undefined {
	if (loaded !== undefined || failed) return loaded;
	try {
		const { exports } = new WebAssembly.Instance(
			new WebAssembly.Module(readFileSync(new URL("../../dist/diff/diff.wasm", import.meta.url))),
		);
		const seed = randomBytes(8);
		exports.setSeed(seed.readUInt32LE(0), seed.readUInt32LE(4));
		const { buffer } = exports.memory;
		loaded = { exports, bytes: Buffer.from(buffer), words: new Uint32Array(buffer) };
	} catch {
		failed = true;
	}
	return loaded;
}
