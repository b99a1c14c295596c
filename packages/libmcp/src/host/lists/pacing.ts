/** Changes passed on at once within a window; later ones are merged into one when the window ends. */
const MOST_AT_ONCE = 10;
const WINDOW_MS = 1_000;

type Window = { told: number; held: (() => void) | undefined; readonly timer: NodeJS.Timeout };

/**
 * Passes on list changes at a limited rate: a server that announces them without end must not flood its client. One
 * notification says as much as a thousand, and the last is never dropped.
 */
export class ChangePacer {
	readonly #windows = new Map<string, Window>();

	/** `key` says which list changed, and for which subscription. */
	tell(key: string, tell: () => void): void {
		const window = this.#windows.get(key) ?? this.#open(key);
		if (window.told < MOST_AT_ONCE) {
			window.told++;
			tell();
		} else window.held = tell;
	}

	/** Passes on at once whatever is held. */
	stop(): void {
		for (const { timer, held } of this.#windows.values()) {
			clearTimeout(timer);
			held?.();
		}
		this.#windows.clear();
	}

	#open(key: string): Window {
		const timer = setTimeout(() => this.#close(key), WINDOW_MS);
		timer.unref();
		const window: Window = { told: 0, held: undefined, timer };
		this.#windows.set(key, window);
		return window;
	}

	/** A held change is the first of the next window. */
	#close(key: string): void {
		const held = this.#windows.get(key)?.held;
		this.#windows.delete(key);
		if (held !== undefined) this.tell(key, held);
	}
}

/** Never runs twice at once. A request during a run gets one more run, since the current one may miss its cause. */
export function runOnceMore(run: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	const ask = (): Promise<void> => {
		if (running === undefined) {
			running = run().finally(() => {
				running = undefined;
			});
			return running;
		}
		next ??= running.then(() => {
			next = undefined;
			return ask();
		});
		return next;
	};
	return ask;
}
