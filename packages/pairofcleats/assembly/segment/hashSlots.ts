import { Block } from "./block";

const HASH_FACTOR: u32 = 0x01000193;
const PAIR: u32 = 8;

/** Random per kernel, so that nobody can choose words that all collide. */
let seed: u32 = 0;

export function setSeed(value: u32): void {
	seed = value;
}

/** Start value of hashes for slots. */
export function seeded(): u32 {
	return seed;
}

export function hashed(hash: u32, value: u32): u32 {
	return (hash ^ value) * HASH_FACTOR;
}

/**
 * An open-addressing hash table. Each slot holds a hash and a number plus one, or zero if free; adjacent, since both
 * are read together.
 */
@unmanaged
export class HashSlots {
	block: Block;

	constructor(count: u32) {
		this.block = new Block(count * PAIR, true);
	}

	/** The first slot to probe for a hash. */
	first(hash: u32): u32 {
		return this.block.at + (((hash ^ (hash >> 15)) * PAIR) & (this.block.size - 1));
	}

	next(slot: u32): u32 {
		return this.block.at + ((slot - this.block.at + PAIR) & (this.block.size - 1));
	}

	take(slot: u32, hash: u32, number: u32): void {
		store<u32>(slot, hash);
		store<u32>(slot, number + 1, 4);
	}

	/** Doubles the number of slots when half of them are taken. */
	makeRoom(taken: u32): void {
		const at = this.block.at;
		const size = this.block.size;
		if (taken * PAIR * 2 <= size) return;
		this.block.take(size * 2);
		for (let pair = at; pair < at + size; pair += PAIR) {
			const entry = load<u32>(pair, 4);
			if (entry === 0) continue;
			let slot = this.first(load<u32>(pair));
			while (load<u32>(slot, 4) !== 0) slot = this.next(slot);
			this.take(slot, load<u32>(pair), entry - 1);
		}
		heap.free(at);
	}

	clear(): void {
		memory.fill(this.block.at, 0, this.block.size);
	}
}

/** The number in a slot; -1 if it is free. */
export function numberIn(slot: u32): i32 {
	return <i32>load<u32>(slot, 4) - 1;
}

export function hashIn(slot: u32): u32 {
	return load<u32>(slot);
}
