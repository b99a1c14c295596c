const SLAB_BYTES = 1024 * 1024;
// A read into less room is not worth its cost.
const LEAST_ROOM = 64 * 1024;

/**
 * Memory that input is read into, one read behind the other: a frame that comes in pieces lies there in one piece. Two
 * slabs take turns, so that reading makes no garbage.
 */
export class Slab {
	#memory: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#spare: Buffer | undefined;
	#used = 0;

	/** Where the next read goes. `isNeeded` says whether an older slab is still in use. */
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

	/** Everything read so far can be overwritten. */
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
