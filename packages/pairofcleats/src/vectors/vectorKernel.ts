import { readFileSync } from "node:fs";

/** What `assembly/vectors` offers: plain JavaScript takes ten to twenty times as long for each component. */
export type VectorKernel = {
	/** Offsets that the functions take are of bytes in here. */
	readonly buffer: ArrayBuffer;
	dots(query: number, data: number, end: number, row: number, out: number): void;
	addRow(row: number, end: number, weight: number, into: number): void;
};

/** The compiler knows WebAssembly only with the whole DOM: these are the members used here. */
declare const WebAssembly: {
	readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: Omit<VectorKernel, "buffer"> };
};

const PAGE_BYTES = 65_536;
const LANES = 16;

let compiled: object | undefined;

/** A memory of at least so many bytes, and the functions on it. */
export function vectorKernel(bytes: number): VectorKernel {
	compiled ??= new WebAssembly.Module(readFileSync(new URL("../../dist/vectors/vectors.wasm", import.meta.url)));
	const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) });
	const { dots, addRow } = new WebAssembly.Instance(compiled, { env: { memory } }).exports;
	return { buffer: memory.buffer, dots, addRow };
}

/** Bytes that a row of so many dimensions takes in the memory. */
export function rowBytes(dims: number): number {
	return Math.ceil(dims / LANES) * LANES;
}

/** Rows of `dims` bytes to rows as the functions want them, the rest of each left as it is. */
export function copyRows(from: Int8Array, dims: number, into: Int8Array): void {
	const row = rowBytes(dims);
	if (row === dims) into.set(from);
	else for (let at = 0, to = 0; at < from.length; at += dims, to += row) into.set(from.subarray(at, at + dims), to);
}
