import { setFlagsFromString } from "node:v8";
import { holdingFlags } from "./flagLock.ts";

/** TypeScript declares WebAssembly only in the DOM library; this is the member used here. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/**
 * V8 reads these flags when it first compiles a function, so the whole module is compiled eagerly while they are off.
 */
const SWITCHES = ["wasm-dynamic-tiering", "wasm-tier-up", "wasm-lazy-compilation"] as const;

/**
 * Keeps the modules alive: V8 shares compiled code between modules with the same bytes only while one is referenced.
 */
const held: object[] = [];

/**
 * Compiles a module with the baseline compiler for good: later loads of the same bytes reuse this code, which is never
 * optimised. Done synchronously, so that nothing else is compiled with these flags.
 */
export function compileBaseline(bytes: Uint8Array): void {
	holdingFlags(() => {
		for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
		try {
			held.push(new WebAssembly.Module(bytes));
		} finally {
			for (const name of SWITCHES) setFlagsFromString(`--${name}`);
		}
	});
}
