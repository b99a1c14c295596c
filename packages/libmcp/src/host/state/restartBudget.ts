import type { RestartPolicy } from "../settings/options.ts";

/** `closed`: normal. `open`: calls fail at once. `half_open`: one worker may try. */
export type BreakerState = "closed" | "open" | "half_open";

export type RestartVerdict =
	| { readonly action: "restart"; readonly delayMs: number }
	| { readonly action: "pause"; readonly delayMs: number };

/**
 * Decides when the next worker starts. Deaths without a single answer are counted in a sliding period. Past the
 * intensity the breaker opens; after the cool-down one worker may try. After a death that followed an answer, it starts
 * at once.
 */
export class RestartBudget {
	readonly #policy: RestartPolicy;
	readonly #now: () => number;
	readonly #random: () => number;
	#fruitless: number[] = [];
	#state: BreakerState = "closed";
	#reopensAt = 0;

	constructor(policy: RestartPolicy, now: () => number = performance.now.bind(performance), random = Math.random) {
		this.#policy = policy;
		this.#now = now;
		this.#random = random;
	}

	get state(): BreakerState {
		return this.#state;
	}

	/** Milliseconds until the next try; 0 unless the breaker is open. */
	get retryAfterMs(): number {
		return this.#state === "open" ? Math.max(0, Math.ceil(this.#reopensAt - this.#now())) : 0;
	}

	died(fruitful: boolean): RestartVerdict {
		if (fruitful) {
			this.proven();
			return { action: "restart", delayMs: 0 };
		}
		const now = this.#now();
		this.#fruitless = this.#fruitless.filter((at) => now - at < this.#policy.periodMs);
		this.#fruitless.push(now);
		if (this.#state === "half_open" || this.#fruitless.length > this.#policy.intensity) return this.#open(now);
		return { action: "restart", delayMs: this.#backoff(this.#fruitless.length) };
	}

	/** The cool-down is over: one worker may try. */
	tryAgain(): void {
		if (this.#state === "open") this.#state = "half_open";
	}

	/** A worker answered a call or lived long enough. */
	proven(): void {
		this.#state = "closed";
		this.#fruitless = [];
	}

	#open(now: number): RestartVerdict {
		this.#state = "open";
		this.#reopensAt = now + this.#policy.coolDownMs;
		return { action: "pause", delayMs: this.#policy.coolDownMs };
	}

	#backoff(deaths: number): number {
		if (deaths <= 1) return 0;
		const { backoffMs, maxBackoffMs } = this.#policy;
		const delay = Math.min(maxBackoffMs, backoffMs * 2 ** (deaths - 2));
		// Jitter of ±10 %, so that hosts that failed together do not restart together.
		return Math.round(delay * (0.9 + 0.2 * this.#random()));
	}
}
