import { readFileSync } from "node:fs";

/** The exports of `assembly/vectors`; plain JavaScript is ten to twenty times slower. */
export type VectorKernel = {
	/** The functions take byte offsets into this buffer. */
	readonly buffer: ArrayBuffer;
	dots(query: number, data: number, end: number, row: number, out: number): void;
	addRow(row: number, end: number, weight: number, into: number): void;
};

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => { readonly exports: Omit<VectorKernel, "buffer"> };
};

const PAGE_BYTES = 65_536;
const LANES = 16;

let compiled: object | undefined;

/** Instantiates the kernel with a memory of at least `bytes` bytes. */
export function openVectorKernel(bytes: number): VectorKernel {
	compiled ??= new WebAssembly.Module(readFileSync(new URL("../../dist/vectors/vectors.wasm", import.meta.url)));
	const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) });
	const { dots, addRow } = new WebAssembly.Instance(compiled, { env: { memory } }).exports;
	return { buffer: memory.buffer, dots, addRow };
}

/** Bytes of a padded row. */
export function countRowBytes(dims: number): number {
	return Math.ceil(dims / LANES) * LANES;
}

/** Copies rows of `dims` bytes into the padded rows that the kernel needs, without touching the padding. */
export function copyRows(from: Int8Array, dims: number, into: Int8Array): void {
	const row = countRowBytes(dims);
	if (row === dims) into.set(from);
	else for (let at = 0, to = 0; at < from.length; at += dims, to += row) into.set(from.subarray(at, at + dims), to);
}
