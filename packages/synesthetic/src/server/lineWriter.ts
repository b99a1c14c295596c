/** A line of output without its newline: text made here, or bytes passed on as they came. */
export type Line = string | Buffer;

// Synchronous answers can be thousands in one turn.
const MOST_TOGETHER = 256 * 1024;

/** Writes lines, those of one turn of the event loop together unless they are many. */
export class LineWriter {
	readonly #write: (bytes: string | Buffer) => void;
	#lines: Line[] = [];
	#size = 0;

	constructor(write: (bytes: string | Buffer) => void) {
		this.#write = write;
	}

	write(line: Line): void {
		if (this.#lines.push(line) === 1) queueMicrotask(() => this.flush());
		this.#size += line.length;
		if (this.#size > MOST_TOGETHER) this.flush();
	}

	flush(): void {
		if (this.#lines.length === 0) return;
		const lines = this.#lines;
		this.#lines = [];
		this.#size = 0;
		this.#write(lines.every((line) => typeof line === "string") ? `${lines.join("\n")}\n` : inOnePiece(lines));
	}
}

const NEWLINE = 0x0a;

/** Usually the lines are adjacent in the chunk they came in, each with its newline; then nothing is copied. */
function inOnePiece(lines: readonly Line[]): Buffer {
	const [first] = lines;
	if (typeof first === "string" || first === undefined) return copied(lines);
	const { buffer, byteOffset } = first;
	// Node's shared pool: the bytes after the line belong to other buffers and may change before they are written.
	if (buffer.byteLength === Buffer.poolSize) return copied(lines);
	let end = byteOffset;
	const bytes = Buffer.from(buffer);
	for (const line of lines) {
		if (typeof line === "string" || line.buffer !== buffer || line.byteOffset !== end) return copied(lines);
		end += line.length;
		if (bytes[end] !== NEWLINE) return copied(lines);
		end += 1;
	}
	return bytes.subarray(byteOffset, end);
}

function copied(lines: readonly Line[]): Buffer {
	const newline = Buffer.of(NEWLINE);
	return Buffer.concat(lines.flatMap((line) => [typeof line === "string" ? Buffer.from(line) : line, newline]));
}
