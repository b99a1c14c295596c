import type { Line } from "./lineWriter.ts";

const CAPACITY = 256 * 1024;
// No character of a string takes more bytes of UTF-8 for each of its units.
const MOST_BYTES = 3;
const NEWLINE = 0x0a;

/**
 * Collects lines until they are flushed, for a process that blocks on reading: its lines must not wait for a turn of the
 * event loop, which may never come.
 */
export class LineBuffer {
	readonly #write: (bytes: Buffer) => void;
	readonly #memory: Buffer = Buffer.allocUnsafeSlow(CAPACITY);
	#used = 0;

	/** `write` must be done with the bytes when it returns. */
	constructor(write: (bytes: Buffer) => void) {
		this.#write = write;
	}

	write(line: Line): void {
		const most = (typeof line === "string" ? MOST_BYTES * line.length : line.length) + 1;
		if (this.#used + most > CAPACITY) this.flush();
		if (most > CAPACITY) {
			this.#write(Buffer.concat([typeof line === "string" ? Buffer.from(line) : line, Buffer.of(NEWLINE)]));
			return;
		}
		this.#used += typeof line === "string" ? this.#memory.write(line, this.#used) : line.copy(this.#memory, this.#used);
		this.#memory[this.#used] = NEWLINE;
		this.#used += 1;
	}

	flush(): void {
		if (this.#used === 0) return;
		this.#write(this.#memory.subarray(0, this.#used));
		this.#used = 0;
	}
}
