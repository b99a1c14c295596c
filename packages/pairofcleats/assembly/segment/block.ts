/** Memory that grows, and is used again by the next segment. */
@unmanaged
export class Block {
	at: u32;
	size: u32;
	/** Whether what nobody has written to reads as zero. */
	zeroed: bool;

	constructor(size: u32, zeroed: bool) {
		this.zeroed = zeroed;
		this.take(size);
	}

	/** Where it lies once it has so many bytes. */
	room(bytes: u32): u32 {
		if (bytes > this.size) this.widen(bytes);
		return this.at;
	}

	/** Takes other memory; whoever has no more use for what it had frees that. */
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

/** For lists while a segment is written: those of terms, and then those of trigrams. */
export const lists = new Block(1 << 16, false);
