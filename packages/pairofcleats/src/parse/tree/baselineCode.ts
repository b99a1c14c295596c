import { setFlagsFromString } from "node:v8";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";

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
	withFlags(() => {
		for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
		try {
			held.push(new WebAssembly.Module(bytes));
		} finally {
			for (const name of SWITCHES) setFlagsFromString(`--${name}`);
		}
	});
}

const KEY = "pairofcleats.flagLock";
const [FREE, HELD] = [0, 1];
/** A thread that is terminated cannot release the lock; what it is held for takes milliseconds. */
const LONGEST_WAIT_MS = 2_000;

/** Runs an action that changes V8's flags, which all threads of the process share, while no other one does. */
export function withFlags(action: () => void): void {
	const lock = shareFlagLock();
	const until = performance.now() + LONGEST_WAIT_MS;
	while (Atomics.compareExchange(lock, 0, FREE, HELD) === HELD && performance.now() < until)
		Atomics.wait(lock, 0, HELD, LONGEST_WAIT_MS);
	try {
		action();
	} finally {
		Atomics.store(lock, 0, FREE);
		Atomics.notify(lock, 0);
	}
}

/** Threads inherit the lock from the thread that starts them, if it has it by then. */
export function shareFlagLock(): Int32Array {
	const known = getEnvironmentData(KEY);
	if (known instanceof Int32Array) return known;
	const lock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	setEnvironmentData(KEY, lock);
	return lock;
}
