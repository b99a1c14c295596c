/** `progress` must increase; updates that do not are dropped. */
export type ProgressUpdate = { readonly progress: number; readonly total?: number; readonly message?: string };

/** At most this many progress notifications a second for one call. */
export const MAX_PROGRESS_PER_SECOND = 4;

const INTERVAL_MS = 1_000 / MAX_PROGRESS_PER_SECOND;

/** Limits the rate of one call's progress notifications: the latest wins, values only rise, none follow the answer. */
export class ProgressPacer {
	readonly #send: (update: ProgressUpdate) => void;
	readonly #now: () => number;
	#sentAt = Number.NEGATIVE_INFINITY;
	#highest = Number.NEGATIVE_INFINITY;
	#waiting: ProgressUpdate | undefined;
	#timer: NodeJS.Timeout | undefined;
	#finished: boolean = false;

	constructor(send: (update: ProgressUpdate) => void, now: () => number = performance.now.bind(performance)) {
		this.#send = send;
		this.#now = now;
	}

	update(update: ProgressUpdate): void {
		if (this.#finished || !Number.isFinite(update.progress) || update.progress <= this.#highest) return;
		this.#highest = update.progress;
		this.#waiting = update;
		if (this.#timer !== undefined) return;
		const wait = this.#sentAt + INTERVAL_MS - this.#now();
		if (wait <= 0) this.#flush();
		else this.#timer = setTimeout(() => this.#flush(), wait);
	}

	/** Call before the final answer is sent: drops any progress still waiting. */
	finish(): void {
		this.#finished = true;
		this.#waiting = undefined;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#flush(): void {
		this.#timer = undefined;
		const update = this.#waiting;
		this.#waiting = undefined;
		if (update === undefined || this.#finished) return;
		this.#sentAt = this.#now();
		this.#send(update);
	}
}
