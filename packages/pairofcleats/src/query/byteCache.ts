/** Keeps what was used last, up to so many bytes in all. */
export class ByteCache<Value> {
	readonly #most: number;
	readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
	#held = 0;

	constructor(most: number) {
		this.#most = most;
	}

	get(key: string): Value | undefined {
		const entry = this.#entries.get(key);
		if (entry === undefined) return undefined;
		// A map keeps the order of insertion, so the first is always the one used longest ago.
		this.#entries.delete(key);
		this.#entries.set(key, entry);
		return entry.value;
	}

	/** For a key that is not there. One value is kept however large it is: it is in use. */
	set(key: string, value: Value, bytes: number): void {
		this.#entries.set(key, { value, bytes });
		this.#held += bytes;
		for (const [oldest, entry] of this.#entries) {
			if (this.#held <= this.#most || oldest === key) return;
			this.#entries.delete(oldest);
			this.#held -= entry.bytes;
		}
	}
}
