const SLAB_BYTES = 1024 * 1024;
// A read is not worth its cost for less.
const LEAST_ROOM = 64 * 1024;

/**
 * Memory that input is read into, one read behind the other: a frame that comes in pieces lies there in one piece. Two
 * slabs take turns, so that reading makes no garbage.
 */
export class Slab {
	#memory: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#spare: Buffer | undefined;
	#used = 0;

	/** Where the next read goes. `isNeeded` is asked of memory that was read into before. */
	room(isNeeded: (memory: ArrayBufferLike) => boolean): Buffer {
		if (SLAB_BYTES - this.#used < LEAST_ROOM) {
			const full = this.#memory;
			const spare = this.#spare === undefined || isNeeded(this.#spare.buffer) ? undefined : this.#spare;
			this.#memory = spare ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
			this.#spare = full;
			this.#used = 0;
		}
		return this.#memory.subarray(this.#used);
	}

	/** The bytes that a read has put there. */
	take(bytes: number): Buffer {
		const chunk = this.#memory.subarray(this.#used, this.#used + bytes);
		this.#used += bytes;
		return chunk;
	}

	/** Nobody needs what was read so far. */
	reuse(): void {
		this.#used = 0;
	}

	/** Nobody knows for how long it will be needed. */
	abandon(): void {
		this.#memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
		this.#spare = undefined;
		this.#used = 0;
	}
}
