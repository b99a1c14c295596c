import { readFileSync } from "node:fs";

type Global = { value: number };
type Imports = { readonly env?: { readonly __stack_pointer?: Global } };

/** TypeScript declares WebAssembly only in the DOM library; these are the members used here. */
declare const WebAssembly: {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object, imports: object) => object;
};

/** Beyond what any depth takes that the stack of the thread allows, which is guarded. */
const STACK_BYTES = 8 * 1024 * 1024;

/**
 * The stack on which the parser's runtime keeps what has an address. Its own has 64 KiB and no guard, and below it lie the
 * runtime's tables: 20 KB of text made to nest would write over them, and no file could be parsed after that.
 */
export class ParserStack {
	#pointer: Global | undefined;
	#top = 0;

	/** The runtime's way to let others load its code, which shows them where the stack is kept. */
	instantiateWith(code: string): (imports: Imports, done: (instance: object, module: object) => void) => void {
		return (imports, done) => {
			this.#pointer = imports.env?.__stack_pointer;
			const module = new WebAssembly.Module(readFileSync(code));
			done(new WebAssembly.Instance(module, imports), module);
		};
	}

	/** Gives the runtime, which has started and is at rest, the larger one. */
	enlarge(allocate: unknown): void {
		const at: unknown = this.#pointer && typeof allocate === "function" ? allocate(STACK_BYTES) : undefined;
		// It grows downwards.
		if (typeof at === "number" && at > 0) this.#top = at + STACK_BYTES;
		this.rewind();
	}

	/** Code that was broken off leaves on the stack what it had there. */
	rewind(): void {
		if (this.#pointer && this.#top > 0) this.#pointer.value = this.#top;
	}
}
