import { setFlagsFromString } from "node:v8";

/** The compiler knows WebAssembly only with the whole DOM: this is the member used here. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** They are looked at where a function is first compiled; so all are, at once, while these are off. */
const SWITCHES = ["wasm-dynamic-tiering", "wasm-tier-up", "wasm-lazy-compilation"] as const;

/** The engine shares what it compiled with all who load the same bytes, as long as anybody holds it. */
const held: object[] = [];

/**
 * Compiles a module by the baseline compiler, and for good: whoever loads the same bytes later has this code, which is
 * never optimised. All of it in one go, so that nothing else can be compiled this way.
 */
export function compileBaseline(bytes: Uint8Array): void {
	for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
	try {
		held.push(new WebAssembly.Module(bytes));
	} finally {
		for (const name of SWITCHES) setFlagsFromString(`--${name}`);
	}
}
