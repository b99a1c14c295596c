import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	compile(bytes: Uint8Array): Promise<WasmModule>;
	Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
};

export type WasmModule = object;
type WasmMemory = { grow(pages: number): number };

const PAGE_BYTES = 65_536;
/** The minimum that the interpreter's build requires. */
const INITIAL_PAGES = 256;

let compiling: Promise<WasmModule> | undefined;

/** The interpreter, compiled once per process and shared with every worker. */
export function loadInterpreterModule(): Promise<WasmModule> {
	const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
	compiling ??= readFile(path)
		.then((bytes) => WebAssembly.compile(bytes))
		.catch((error: unknown) => {
			// A failure is not kept: with too many files open, say, the next run may succeed.
			compiling = undefined;
			throw error;
		});
	return compiling;
}

/** Memory with a hard limit, since the interpreter's own accounting sees only part of what code allocates. */
export class BoundedMemory {
	readonly memory: WasmMemory;
	/** At least what the interpreter needs. */
	readonly bytes: number;
	#isUsedUp: boolean = false;

	constructor(bytes: number) {
		const maximum = Math.max(INITIAL_PAGES, Math.ceil(bytes / PAGE_BYTES));
		this.bytes = maximum * PAGE_BYTES;
		this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
		const grow = this.memory.grow.bind(this.memory);
		// Watches the growing, as a size at the limit would not tell: a small limit is reached from the start.
		this.memory.grow = (pages) => {
			this.#isUsedUp = true;
			const before = grow(pages);
			this.#isUsedUp = false;
			return before;
		};
	}

	/** Whether the interpreter was refused what it last asked for. */
	get isUsedUp(): boolean {
		return this.#isUsedUp;
	}
}
