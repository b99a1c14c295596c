/** A line of output without its newline: text made here, or bytes passed on as they came. */
export type Line = string | Buffer;

/** Writes lines, those of one turn of the event loop together. */
export class LineWriter {
	readonly #write: (bytes: string | Buffer) => void;
	#lines: Line[] = [];

	constructor(write: (bytes: string | Buffer) => void) {
		this.#write = write;
	}

	write(line: Line): void {
		if (this.#lines.push(line) === 1) queueMicrotask(() => this.flush());
	}

	flush(): void {
		if (this.#lines.length === 0) return;
		const lines = this.#lines;
		this.#lines = [];
		this.#write(lines.every((line) => typeof line === "string") ? `${lines.join("\n")}\n` : joined(lines));
	}
}

const NEWLINE = Buffer.from("\n");

function joined(lines: readonly Line[]): Buffer {
	return Buffer.concat(lines.flatMap((line) => [typeof line === "string" ? Buffer.from(line) : line, NEWLINE]));
}
