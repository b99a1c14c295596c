const CAPACITY = 256 * 1024;
// No character of a string takes more bytes of UTF-8 for each of its units.
const MOST_BYTES = 3;
const NEWLINE = 0x0a;

type Piece = string | Buffer;
/** A line of output without its newline: text made here, bytes passed on, or both in pieces whose bytes soon change. */
export type Line = Piece | readonly Piece[];

/**
 * Collects lines until they are flushed, not until a turn of the event loop: in a process that blocks on reading none may
 * come. Each is copied at once into memory that is used again, since to join texts and encode them takes ten times as long.
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

/** A line in one piece, which stays as it is. */
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
