import { readFileSync } from "node:fs";

type Global = { value: number };
type Imports = { readonly env?: { readonly __stack_pointer?: Global } };

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => object;
};

/** More than parsing can use before it overflows the thread's own stack, which is guarded. */
const STACK_BYTES = 8 * 1024 * 1024;

/**
 * The shadow stack of the parser's WebAssembly runtime. The default one has 64 KiB and no guard, with the runtime's
 * static data below it: 20 KB of deeply nested text would overwrite that data, and no file could be parsed after that.
 */
export class ParserStack {
	#pointer: Global | undefined;
	#top = 0;

	/** Emscripten's hook for custom instantiation; the imports it passes include the stack pointer. */
	instantiateWith(code: string): (imports: Imports, done: (instance: object, module: object) => void) => void {
		return (imports, done) => {
			this.#pointer = imports.env?.__stack_pointer;
			const module = new WebAssembly.Module(readFileSync(code));
			done(new WebAssembly.Instance(module, imports), module);
		};
	}

	/** Switches to a larger stack. Call this once the runtime has started and while it is idle. */
	enlarge(allocate: unknown): void {
		const at: unknown = this.#pointer && typeof allocate === "function" ? allocate(STACK_BYTES) : undefined;
		// The stack grows downwards.
		if (typeof at === "number" && at > 0) this.#top = at + STACK_BYTES;
		this.rewind();
	}

	/** Resets the stack after a parse was aborted by an exception, which leaves its frames behind. */
	rewind(): void {
		if (this.#pointer && this.#top > 0) this.#pointer.value = this.#top;
	}
}
