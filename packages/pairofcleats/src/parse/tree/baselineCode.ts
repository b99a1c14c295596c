import { setFlagsFromString } from "node:v8";

/** TypeScript declares WebAssembly only in the DOM library; this is the member used here. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** V8 flags, read when a function is first compiled; so everything is compiled at once while these are off. */
const SWITCHES = ["wasm-dynamic-tiering", "wasm-tier-up", "wasm-lazy-compilation"] as const;

/** V8 shares compiled code between modules with the same bytes, as long as one of them is referenced. */
const held: object[] = [];

/**
 * Compiles a module with the baseline compiler for good: later loads of the same bytes reuse this code, which is never
 * optimised. Done synchronously, so that nothing else is compiled with these flags.
 */
export function compileBaseline(bytes: Uint8Array): void {
	for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
	try {
		held.push(new WebAssembly.Module(bytes));
	} finally {
		for (const name of SWITCHES) setFlagsFromString(`--${name}`);
	}
}
