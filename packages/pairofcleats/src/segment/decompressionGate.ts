import { setTimeout as wait } from "node:timers/promises";

/*
 * Terminating a thread just as it creates a decompressor aborts the whole process, because Node asserts that one that was
 * created is also initialised. So threads decompress behind a gate, and are terminated only once it is shut and nobody is
 * inside. A thread started by a thread has two gates, since either may be terminated.
 */
const SHUT = 0;
const INSIDE = 1;
/** A thread that died inside never comes out. */
const LONGEST_INSIDE_MS = 1_000;

/** As the thread that ends another one sees it. */
export class DecompressionGate {
	readonly #states = new Int32Array(new SharedArrayBuffer(8));

	/** For the thread that is to stand behind it, its innermost gate first. */
	get gates(): readonly Int32Array[] {
		return [this.#states, ...gates];
	}

	/** Threads that arrive later block forever. */
	async shut(): Promise<void> {
		Atomics.store(this.#states, SHUT, 1);
		const untilMs = performance.now() + LONGEST_INSIDE_MS;
		while (Atomics.load(this.#states, INSIDE) > 0 && performance.now() < untilMs) await wait(1);
	}
}

let gates: readonly Int32Array[] = [];

/** From now on this thread decompresses behind the gates. */
export function standBehind(all: readonly Int32Array[]): void {
	gates = all;
}

export function passGates<Value>(decompress: () => Value): Value {
	for (const gate of gates) enter(gate);
	try {
		return decompress();
	} finally {
		for (const gate of gates) Atomics.sub(gate, INSIDE, 1);
	}
}

/** Each side first announces itself and then checks the other (Dekker), so at least one sees the other. */
function enter(gate: Int32Array): void {
	Atomics.add(gate, INSIDE, 1);
	if (Atomics.load(gate, SHUT) === 0) return;
	Atomics.sub(gate, INSIDE, 1);
	Atomics.wait(gate, SHUT, 1);
}
