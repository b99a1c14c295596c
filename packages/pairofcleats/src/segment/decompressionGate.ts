import { setTimeout as wait } from "node:timers/promises";

/*
 * Terminating a thread while it creates a decompressor aborts the whole process, because Node asserts that every
 * decompressor created is also initialised. So threads decompress inside a gate, and are terminated only after it is shut
 * and empty. A thread started by a thread has two gates, since either thread may be terminated.
 */
const SHUT = 0;
const INSIDE = 1;
/** Limits the wait, because a thread that died inside never leaves. */
const LONGEST_INSIDE_MS = 1_000;

/** The gate as seen by the terminating thread. */
export class DecompressionGate {
	readonly #states = new Int32Array(new SharedArrayBuffer(8));

	/** The gates to pass to the new thread, innermost first. */
	get gates(): readonly Int32Array[] {
		return [this.#states, ...gates];
	}

	/** Waits until no thread is inside; threads that try to enter later block forever. */
	async shut(): Promise<void> {
		Atomics.store(this.#states, SHUT, 1);
		const untilMs = performance.now() + LONGEST_INSIDE_MS;
		while (Atomics.load(this.#states, INSIDE) > 0 && performance.now() < untilMs) await wait(1);
	}
}

let gates: readonly Int32Array[] = [];

/** Makes this thread enter the gates whenever it decompresses. */
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
