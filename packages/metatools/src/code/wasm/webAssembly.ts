import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	compile(bytes: Uint8Array): Promise<WasmModule>;
	Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
};

export type WasmModule = object;
export type WasmMemory = { readonly buffer: ArrayBuffer };

const PAGE_BYTES = 65_536;
/** The minimum that the interpreter's build requires. */
const INITIAL_PAGES = 256;
/** Memory grows in large steps, so allocation fails a little below the limit. */
const NEARLY = 0.9;

let compiling: Promise<WasmModule> | undefined;

/** The interpreter, compiled once per process and shared with every worker. */
export function interpreterModule(): Promise<WasmModule> {
	const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
	compiling ??= readFile(path).then((bytes) => WebAssembly.compile(bytes));
	return compiling;
}

/** Memory with a hard limit, since the interpreter's own accounting sees only part of what code allocates. */
export function boundedMemory(bytes: number): WasmMemory {
	const maximum = Math.max(INITIAL_PAGES, Math.ceil(bytes / PAGE_BYTES));
	return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
}

/** Whether memory has grown (nearly) to its limit of `bytes`; it never shrinks. */
export function isUsedUp({ buffer }: WasmMemory, bytes: number): boolean {
	return buffer.byteLength > INITIAL_PAGES * PAGE_BYTES && buffer.byteLength > NEARLY * bytes;
}
