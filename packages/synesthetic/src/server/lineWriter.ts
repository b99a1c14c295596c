import { type Line, LineBuffer } from "./lineBuffer.ts";

/** Collects lines and writes them together in the next microtask; a full buffer is written earlier. */
export class LineWriter {
	readonly #lines: LineBuffer;
	#due: boolean = false;

	/** `write` must not use the bytes after it returns. */
	constructor(write: (bytes: Buffer) => void) {
		this.#lines = new LineBuffer(write);
	}

	write(line: Line): void {
		this.#lines.write(line);
		if (this.#due) return;
		this.#due = true;
		queueMicrotask(() => this.flush());
	}

	flush(): void {
		this.#due = false;
		this.#lines.flush();
	}
}
