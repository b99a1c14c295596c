/** Turns any burst of changes into one call, once they have been quiet for a while. */
export class Debouncer {
	readonly #delayMs: number;
	readonly #notify: () => void;
	#timer: NodeJS.Timeout | undefined;

	constructor(delayMs: number, notify: () => void) {
		this.#delayMs = delayMs;
		this.#notify = notify;
	}

	trigger(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(this.#notify, this.#delayMs).unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}
