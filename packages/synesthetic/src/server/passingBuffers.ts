import { type Collect, collector } from "./collector.ts";

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
		this.#collect ??= collector();
		// By then the buffers have been written and can be collected.
		setImmediate(this.#collect, { type: "minor" });
	}
}
