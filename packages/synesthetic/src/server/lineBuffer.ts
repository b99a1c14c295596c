const CAPACITY = 256 * 1024;
// A UTF-16 code unit takes at most three bytes in UTF-8.
const MOST_BYTES = 3;
const NEWLINE = 0x0a;

type Piece = string | Buffer;
/**
 * A line of output without its newline, whole or in pieces. Buffers in pieces are soon overwritten: copy them at once.
 */
export type Line = Piece | readonly Piece[];

/**
 * Collects lines until `flush` is called. It cannot flush on its own, because a worker blocks while it reads and may
 * have no turn of the event loop. Each line is copied at once into reused memory: joining strings and encoding them
 * later takes ten times as long.
 */
export class LineBuffer {
	readonly #write: (bytes: Buffer) => void;
	readonly #memory: Buffer = Buffer.allocUnsafeSlow(CAPACITY);
	#used = 0;

	/** `write` must not use the bytes after it returns. */
	constructor(write: (bytes: Buffer) => void) {
		this.#write = write;
	}

	write(line: Line): void {
		const most = mostBytes(line) + 1;
		if (this.#used + most > CAPACITY) this.flush();
		if (most > CAPACITY) {
			this.#write(Buffer.concat([Buffer.from(joined(line)), Buffer.of(NEWLINE)]));
			return;
		}
		if (isWhole(line)) this.#put(line);
		else for (const piece of line) this.#put(piece);
		this.#memory[this.#used] = NEWLINE;
		this.#used += 1;
	}

	flush(): void {
		if (this.#used === 0) return;
		this.#write(this.#memory.subarray(0, this.#used));
		this.#used = 0;
	}

	#put(piece: Piece): void {
		this.#used +=
			typeof piece === "string" ? this.#memory.write(piece, this.#used) : piece.copy(this.#memory, this.#used);
	}
}

/** The line in one piece, which is not overwritten later. */
export function joined(line: Line): Piece {
	return isWhole(line) ? line : Buffer.concat(line.map((piece) => Buffer.from(piece)));
}

function isWhole(line: Line): line is Piece {
	return !Array.isArray(line);
}

function mostBytes(line: Line): number {
	if (typeof line === "string") return MOST_BYTES * line.length;
	if (isWhole(line)) return line.length;
	return line.reduce((sum, piece) => sum + mostBytes(piece), 0);
}
