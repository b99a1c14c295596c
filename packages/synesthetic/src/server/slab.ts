const SLAB_BYTES = 1024 * 1024;
// A read into less room than this is not worth its cost.
const LEAST_ROOM = 64 * 1024;

/**
 * The memory that input is read into. Each read follows the one before, so a frame that arrives in pieces is still
 * contiguous. Two blocks of memory alternate, so that reading makes no garbage.
 */
export class Slab {
	#memory: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#spare: Buffer | undefined;
	#used = 0;

	/** The memory for the next read. `isNeeded` says whether an older block is still in use. */
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

	/** The bytes that the last read has put into the room. */
	take(bytes: number): Buffer {
		const chunk = this.#memory.subarray(this.#used, this.#used + bytes);
		this.#used += bytes;
		return chunk;
	}

	/** Lets the next read overwrite everything read so far. */
	reuse(): void {
		this.#used = 0;
	}

	/** Stops reusing this memory, because it is unknown how long it will be needed. */
	abandon(): void {
		this.#memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
		this.#spare = undefined;
		this.#used = 0;
	}
}
