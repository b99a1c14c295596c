import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MOST_BYTES = 512 * 1024;

/**
 * Triggers garbage collection by the amount of data passed through. V8 considers only its own heap, but a worker's output
 * is read into external memory, where tens of megabytes would pile up in a host that allocates little else.
 */
export class PassingBuffers {
	#bytes = 0;
	#collect: Collect | undefined;

	passed(bytes: number): void {
		this.#bytes += bytes;
		if (this.#bytes < MOST_BYTES) return;
		this.#bytes = 0;
		this.#collect ??= findCollector();
		// By then the buffers have been written and can be collected.
		setImmediate(this.#collect, { type: "minor" });
	}
}

/** Collects the young generation, or without options everything. */
export type Collect = (options?: { readonly type: "minor" }) => void;

/** The engine's garbage collector as a function. */
export function findCollector(): Collect {
	setFlagsFromString("--expose-gc");
	// Only a context created after setting the flag has `gc`.
	return runInNewContext("gc");
}
