import { Buffer } from "node:buffer";

/** The largest frame that the SDK's stdio transports accept: a host must pass whatever a direct pipe would. */
export const DEFAULT_MAX_FRAME_BYTES: number = 10 * 1024 * 1024;

/** How much of each end of a skipped frame is kept, enough to find its id. */
export const OVERSIZE_EDGE_BYTES = 1024;

/** What a reader finds in a byte stream. After every event it is ready for the next frame. */
export type FrameEvent =
	| { readonly type: "frame"; readonly bytes: Buffer }
	/** A frame over the limit, skipped without keeping it: `size` counts its bytes, `head` and `tail` are its ends. */
	| { readonly type: "oversize"; readonly size: number; readonly head: Buffer; readonly tail: Buffer }
	/** A Content-Length header block without a usable length; skipped up to the next one. */
	| { readonly type: "bad-header"; readonly header: Buffer }
	/** The stream ended inside a frame. */
	| { readonly type: "residue"; readonly bytes: Buffer; readonly size: number };

export type FrameLimits = { readonly maxFrameBytes?: number };

/** Turns chunks into frames, however the stream is chunked. A frame may share memory with its chunk. */
export interface FrameReader {
	push(chunk: Uint8Array): FrameEvent[];
	/** Call when the stream ends; returns at most one event: `residue`, or `oversize` of a line over the limit. */
	end(): FrameEvent[];
	/** Takes the bytes of the unfinished frame, for the next reader of the stream. */
	takeResidue(): Buffer;
	/** The number of bytes kept for the unfinished frame. */
	readonly held: number;
}

/**
 * Collects the bytes of one unfinished frame. Holds at most the limit plus the old half of one growth step. Past the
 * limit it keeps only the two ends and counts the rest, so that a giant frame costs no memory.
 */
export class FrameAssembly {
	readonly #limit: number;
	#held: Buffer = EMPTY;
	#used = 0;
	/** Bytes seen of a frame that is being skipped; 0 otherwise. */
	#skipped = 0;
	#tail: Buffer = EMPTY;
	/** The size of the last frame that came in pieces: large frames often come in series, so reserve as much at once. */
	#expected = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	get held(): number {
		return this.#used;
	}

	/** Bytes of the unfinished frame seen so far, kept or not. */
	get size(): number {
		return this.#skipped === 0 ? this.#used : this.#skipped;
	}

	get isSkipping(): boolean {
		return this.#skipped > 0;
	}

	/** Adds more bytes of the unfinished frame. */
	add(chunk: Buffer, from: number, to: number): void {
		const length = to - from;
		if (this.#skipped > 0) {
			this.#skip(chunk, from, to);
		} else if (this.#used + length > this.#limit) {
			this.#startSkipping();
			this.#skip(chunk, from, to);
		} else if (this.#used === 0) {
			this.#held = chunk.subarray(from, to);
			this.#used = length;
		} else if (this.#isFollowedBy(chunk, from)) {
			this.#extend(length);
		} else {
			this.#grow(length);
			chunk.copy(this.#held, this.#used, from, to);
			this.#used += length;
		}
	}

	/** Adds the last bytes of the frame and returns its event; the assembly is empty afterwards. */
	finish(chunk: Buffer, from: number, to: number): FrameEvent {
		const length = to - from;
		if (this.#skipped > 0 || this.#used + length > this.#limit) {
			this.add(chunk, from, to);
			const event: FrameEvent = {
				type: "oversize",
				size: this.#skipped,
				head: this.#held,
				tail: this.#tail.subarray(-this.#skipped),
			};
			this.#clear();
			return event;
		}
		if (this.#used === 0) return { type: "frame", bytes: chunk.subarray(from, to) };
		const total = this.#used + length;
		if (this.#isFollowedBy(chunk, from)) {
			this.#extend(length);
		} else {
			// One extra byte for the newline after the frame, so that forwarding it needs no copy.
			if (this.#held.length <= total) this.#reallocate(total + 1);
			chunk.copy(this.#held, this.#used, from, to + 1);
		}
		const bytes = this.#held.subarray(0, total);
		this.#expected = total;
		this.#clear();
		return { type: "frame", bytes };
	}

	/** Returns the bytes kept of the unfinished frame and empties the assembly. */
	take(): Buffer {
		const bytes = this.#held.subarray(0, this.#used);
		this.#clear();
		return bytes;
	}

	#clear(): void {
		this.#held = EMPTY;
		this.#used = 0;
		this.#skipped = 0;
		this.#tail = EMPTY;
	}

	/** True when the chunk directly follows the held bytes in the same memory, as with a reused read buffer. */
	#isFollowedBy(chunk: Buffer, from: number): boolean {
		return chunk.buffer === this.#held.buffer && chunk.byteOffset + from === this.#held.byteOffset + this.#used;
	}

	#extend(length: number): void {
		this.#used += length;
		this.#held = Buffer.from(this.#held.buffer, this.#held.byteOffset, this.#used);
	}

	#grow(length: number): void {
		const needed = this.#used + length;
		// The first piece is a view of the reader's chunk: never write into it, even if it has room.
		if (needed <= this.#held.length) return;
		this.#reallocate(Math.min(this.#limit, Math.max(needed, this.#used * 4, this.#expected)));
	}

	#reallocate(capacity: number): void {
		const larger = Buffer.allocUnsafeSlow(capacity);
		this.#held.copy(larger, 0, 0, this.#used);
		this.#held = larger;
	}

	#startSkipping(): void {
		const seen = this.#held.subarray(0, this.#used);
		this.#skipped = this.#used;
		this.#held = Buffer.from(seen.subarray(0, OVERSIZE_EDGE_BYTES));
		this.#used = this.#held.length;
		this.#tail = Buffer.alloc(OVERSIZE_EDGE_BYTES);
		this.#shiftTail(seen);
	}

	#skip(chunk: Buffer, from: number, to: number): void {
		const missing = OVERSIZE_EDGE_BYTES - this.#used;
		if (missing > 0 && this.#skipped === this.#used) {
			this.#held = Buffer.concat([this.#held, chunk.subarray(from, Math.min(to, from + missing))]);
			this.#used = this.#held.length;
		}
		this.#skipped += to - from;
		this.#shiftTail(chunk.subarray(from, to));
	}

	/** Moves the tail within one buffer, so that skipping allocates nothing. */
	#shiftTail(bytes: Buffer): void {
		const recent = bytes.subarray(-OVERSIZE_EDGE_BYTES);
		this.#tail.copyWithin(0, recent.length);
		recent.copy(this.#tail, OVERSIZE_EDGE_BYTES - recent.length);
	}
}

const EMPTY = Buffer.alloc(0);
