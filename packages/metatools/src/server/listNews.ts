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

/** Under constant change, call anyway after this many quiet times. */
const MOST_DELAYS = 10;

/** Turns a burst of changes into one call, once it has been quiet for a while or has lasted too long. */
export class Debouncer {
	readonly #delayMs: number;
	readonly #notify: () => void;
	#timer: NodeJS.Timeout | undefined;
	#latest: number | undefined;

	constructor(delayMs: number, notify: () => void) {
		this.#delayMs = delayMs;
		this.#notify = notify;
	}

	trigger(): void {
		this.#latest ??= Date.now() + MOST_DELAYS * this.#delayMs;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(
			() => {
				this.#latest = undefined;
				this.#notify();
			},
			Math.min(this.#delayMs, Math.max(0, this.#latest - Date.now())),
		).unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}
