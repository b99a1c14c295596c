import { makeRoom } from "../admission/boundedQueue.ts";
import { HttpRefusal } from "./refusal.ts";

export type RateLimits = {
	/** Requests per second that one client may make in the long run. */
	readonly perSecond: number;
	/** How many it may make at once after a pause. */
	readonly burst: number;
};

type Bucket = { tokens: number; at: number };

const MOST_CLIENTS = 10_000;

/** A token bucket per client. The least recently seen is dropped first; by then its bucket is full again. */
export class RateLimit {
	readonly #limits: RateLimits;
	readonly #buckets = new Map<string, Bucket>();
	readonly #now: () => number;

	constructor(limits: RateLimits, now: () => number = performance.now.bind(performance)) {
		this.#limits = limits;
		this.#now = now;
	}

	take(client: string): void {
		const { perSecond, burst } = this.#limits;
		const now = this.#now();
		const bucket = this.#buckets.get(client) ?? { tokens: burst, at: now };
		bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
		bucket.at = now;
		this.#buckets.delete(client);
		makeRoom(this.#buckets, MOST_CLIENTS);
		this.#buckets.set(client, bucket);
		if (bucket.tokens < 1) {
			const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
			const most = perSecond === 1 ? "1 request" : `${perSecond} requests`;
			throw new HttpRefusal("RATE_LIMITED", `at most ${most} a second`, { "retry-after": String(wait) });
		}
		bucket.tokens--;
	}
}
