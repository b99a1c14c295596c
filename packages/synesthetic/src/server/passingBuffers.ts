import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { readonly type: "minor" }) => void;

const MOST_BYTES = 512 * 1024;

/**
 * Collects what passes through a process once it is much. V8 looks at its own memory alone to see whether a collection is
 * due, but what a worker says is read into memory outside: tens of megabytes would pile up in a host that does little else.
 */
export class PassingBuffers {
	#bytes = 0;
	#collect: Collect | undefined;

	passed(bytes: number): void {
		this.#bytes += bytes;
		if (this.#bytes < MOST_BYTES) return;
		this.#bytes = 0;
		this.#collect ??= collector();
		// By then they are written.
		setImmediate(this.#collect, { type: "minor" });
	}
}

function collector(): Collect {
	setFlagsFromString("--expose-gc");
	// Only a context made after that has it.
	return runInNewContext("gc");
}
