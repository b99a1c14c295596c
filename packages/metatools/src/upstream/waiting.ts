import { setTimeout as delay } from "node:timers/promises";

/** The promise's value, unless the signal aborts first; a late value is passed to `discard`. */
export function waitUnlessAborted<T>(promise: Promise<T>, signal: AbortSignal, discard: (late: T) => void): Promise<T> {
	return new Promise((resolve, reject) => {
		const abandon = () => {
			reject(signal.reason);
			promise.then(discard, () => {});
		};
		if (signal.aborted) return abandon();
		signal.addEventListener("abort", abandon, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abandon));
	});
}

const PAUSES_PER_RUN = 4;
const LONGEST_PAUSE_MS = 30_000;

/** Runs a task on request, one at a time and not too often: requests that come meanwhile cause one more run, not one each. */
export class Coalesced {
	readonly #task: () => Promise<void>;
	readonly #pauseMs: number;
	readonly #stop: AbortSignal;
	#phase: "idle" | "working" | "pausing" = "idle";
	#wanted = 0;
	readonly #waiters: (() => void)[] = [];

	/** The task must not reject. */
	constructor(task: () => Promise<void>, pauseMs: number, stop: AbortSignal) {
		this.#task = task;
		this.#pauseMs = pauseMs;
		this.#stop = stop;
	}

	request(): void {
		this.#wanted++;
		if (this.#phase === "idle") void this.#run();
	}

	/** Resolves when all requested runs are done. */
	async done(): Promise<void> {
		if (this.#wanted === 0 && this.#phase !== "working") return;
		await new Promise<void>((resolve) => this.#waiters.push(resolve));
	}

	async #run(): Promise<void> {
		while (this.#wanted > 0 && !this.#stop.aborted) {
			this.#wanted = 0;
			this.#phase = "working";
			const began = performance.now();
			await this.#task();
			this.#phase = "pausing";
			if (this.#wanted === 0) this.#wake();
			// A task that takes long is run less often, to leave CPU time to others.
			const spent = Math.min(LONGEST_PAUSE_MS, PAUSES_PER_RUN * (performance.now() - began));
			await delay(Math.max(this.#pauseMs, spent), undefined, { signal: this.#stop, ref: false }).catch(() => {});
		}
		this.#phase = "idle";
		this.#wake();
	}

	#wake(): void {
		for (const wake of this.#waiters.splice(0)) wake();
	}
}
