import { type Line, LineBuffer } from "./lineBuffer.ts";

/** Writes lines, those of one turn of the event loop together unless they are many. */
export class LineWriter {
	readonly #lines: LineBuffer;
	#due: boolean = false;

	/** `write` must be done with the bytes when it returns. */
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
