/** A growable memory block, reused by the next segment. */
@unmanaged
export class Block {
	at: u32;
	size: u32;
	/** Whether memory that was never written reads as zero. */
	zeroed: bool;

	constructor(size: u32, zeroed: bool) {
		this.zeroed = zeroed;
		this.take(size);
	}

	/** Grows the block to at least `bytes` and returns its address. */
	room(bytes: u32): u32 {
		if (bytes > this.size) this.widen(bytes);
		return this.at;
	}

	/** Allocates new memory without freeing the old; the caller frees it if needed. */
	take(size: u32): void {
		this.at = <u32>heap.alloc(size);
		this.size = size;
		if (this.zeroed) memory.fill(this.at, 0, size);
	}

	private widen(bytes: u32): void {
		const size = max(this.size * 2, bytes);
		this.at = <u32>heap.realloc(this.at, size);
		if (this.zeroed) memory.fill(this.at + this.size, 0, size - this.size);
		this.size = size;
	}
}

/** Scratch memory for lists while a segment is written: first those of terms, then those of trigrams. */
export const lists = new Block(1 << 16, false);
