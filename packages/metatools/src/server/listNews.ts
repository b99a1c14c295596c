import { Debouncer } from "./debouncer.ts";

/** Tells those who listen that the catalogue changed, once for each burst of changes. */
export class ListNews {
	readonly #listeners = new Set<() => void>();
	readonly #debouncer: Debouncer;

	constructor(quietMs: number) {
		this.#debouncer = new Debouncer(quietMs, () => {
			for (const listener of this.#listeners) listener();
		});
	}

	/** Returns what ends the listening. */
	listen(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	announce(): void {
		this.#debouncer.trigger();
	}

	stop(): void {
		this.#debouncer.stop();
		this.#listeners.clear();
	}
}
