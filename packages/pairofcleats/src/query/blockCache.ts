type Block<About> = { readonly bytes: Uint8Array; readonly about: About };

/** Lets any typed array view a block. */
const ALIGNMENT = 8;

/**
 * A cache of byte blocks in memory that is allocated once. Separate arrays would accumulate to tens of megabytes before
 * V8 collects the evicted ones. Blocks are appended to one half; when it is full, the other half is emptied and used
 * next. Using a block in the older half moves it to the newer one.
 */
export class BlockCache<About> {
	readonly #halfBytes: number;
	#newer: Half<About> = { blocks: new Map(), memory: undefined, used: 0 };
	#older: Half<About> = { blocks: new Map(), memory: undefined, used: 0 };

	constructor(mostBytes: number) {
		this.#halfBytes = Math.floor(mostBytes / 2 / ALIGNMENT) * ALIGNMENT;
	}

	/** The block is valid until the next call. */
	get(key: string): Block<About> | undefined {
		const known = this.#newer.blocks.get(key);
		if (known !== undefined) return known;
		const old = this.#older.blocks.get(key);
		if (old === undefined) return undefined;
		const { bytes, about } = old;
		const moved = { bytes: this.#room(bytes.length), about };
		// The bytes stay in place even if the half was emptied, and `set` copies overlapping ranges correctly.
		moved.bytes.set(bytes);
		this.#newer.blocks.set(key, moved);
		return moved;
	}

	/** Returns a new block to fill; the key must be new. A block larger than half the cache is not kept. */
	add(key: string, length: number, about: About): Uint8Array {
		if (length > this.#halfBytes) return new Uint8Array(length);
		const bytes = this.#room(length);
		this.#newer.blocks.set(key, { bytes, about });
		return bytes;
	}

	/** Forgets all blocks but keeps the memory. */
	clear(): void {
		for (const half of [this.#newer, this.#older]) {
			half.blocks.clear();
			half.used = 0;
		}
	}

	#room(length: number): Uint8Array {
		if (this.#newer.used + length > this.#halfBytes) {
			[this.#newer, this.#older] = [this.#older, this.#newer];
			this.#newer.blocks.clear();
			this.#newer.used = 0;
		}
		const half = this.#newer;
		half.memory ??= new ArrayBuffer(this.#halfBytes);
		const bytes = new Uint8Array(half.memory, half.used, length);
		half.used += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
		return bytes;
	}
}

type Half<About> = { readonly blocks: Map<string, Block<About>>; memory: ArrayBuffer | undefined; used: number };
