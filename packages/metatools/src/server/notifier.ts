/** Quiet times that changes without a pause are waited for. */
const MOST_DELAYS = 10;

/** Turns any burst of changes into one call, once they have been quiet for a while, or will not become so. */
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
