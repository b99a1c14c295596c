import type { MethodError } from "./record.ts";

export type CallCounts = {
	readonly requests: number;
	readonly successes: number;
	readonly errors: number;
	readonly cancelled: number;
	readonly inFlight: number;
	/** How many repetitions were really sent. */
	readonly retries: number;
};

export type MethodTelemetry = CallCounts & {
	readonly method: string;
	readonly latency: LatencySummary;
	readonly lastError: MethodError | null;
};

export type MethodState = {
	readonly method: string;
	readonly successes: number;
	readonly errors: number;
	readonly cancelled: number;
	readonly retries: number;
	readonly latency: LatencyState;
	readonly lastError: MethodError | null;
};

/** The counters of one method. Calls in flight are computed as begun minus ended, so the numbers always add up. */
export class MethodCounts {
	readonly method: string;
	latency: LatencyHistogram = new LatencyHistogram();
	requests = 0;
	successes = 0;
	errors = 0;
	cancelled = 0;
	retries = 0;
	lastError: MethodError | null = null;

	constructor(method: string) {
		this.method = method;
	}

	telemetry(): MethodTelemetry {
		const { method, requests, successes, errors, cancelled, retries, lastError } = this;
		const inFlight = requests - successes - errors - cancelled;
		return {
			method,
			requests,
			successes,
			errors,
			cancelled,
			inFlight,
			retries,
			latency: this.latency.summary(),
			lastError,
		};
	}

	/** Leaves out requests in flight: the successor counts them when it begins them. */
	state(): MethodState {
		const { method, successes, errors, cancelled, retries, lastError } = this;
		return { method, successes, errors, cancelled, retries, lastError, latency: this.latency.state() };
	}

	static restore(state: MethodState): MethodCounts {
		const counts = new MethodCounts(state.method);
		counts.successes = state.successes;
		counts.errors = state.errors;
		counts.cancelled = state.cancelled;
		counts.requests = state.successes + state.errors + state.cancelled;
		counts.retries = state.retries;
		counts.lastError = state.lastError;
		counts.latency = LatencyHistogram.restore(state.latency);
		return counts;
	}
}

export type LatencySummary = {
	readonly count: number;
	readonly meanMs: number;
	readonly lastMs: number;
	readonly maxMs: number;
	readonly p50Ms: number;
	readonly p90Ms: number;
	readonly p99Ms: number;
};

type LatencyState = {
	readonly buckets: readonly (readonly [index: number, count: number])[];
	readonly sumMs: number;
	readonly lastMs: number;
	readonly maxMs: number;
};

/** Latencies in buckets that widen with the value: a percentile is at most 1/8 too high, in a fixed kilobyte. */
export class LatencyHistogram {
	readonly #buckets = new Uint32Array(BUCKETS);
	#count = 0;
	#sumMs = 0;
	#lastMs = 0;
	#maxMs = 0;

	record(ms: number): void {
		const value = Number.isFinite(ms) && ms > 0 ? ms : 0;
		const index = bucketOf(value);
		this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
		this.#count++;
		this.#sumMs += value;
		this.#lastMs = value;
		this.#maxMs = Math.max(this.#maxMs, value);
	}

	/** The smallest bucket bound that at least this share of the values stays within. */
	percentile(share: number): number {
		const rank = Math.max(1, Math.ceil(share * this.#count));
		let seen = 0;
		for (let index = 0; index < BUCKETS; index++) {
			seen += this.#buckets[index] ?? 0;
			if (seen >= rank) return Math.min(boundOf(index), this.#maxMs);
		}
		return this.#maxMs;
	}

	summary(): LatencySummary {
		return {
			count: this.#count,
			meanMs: round(this.#count === 0 ? 0 : this.#sumMs / this.#count),
			lastMs: round(this.#lastMs),
			maxMs: round(this.#maxMs),
			p50Ms: round(this.percentile(0.5)),
			p90Ms: round(this.percentile(0.9)),
			p99Ms: round(this.percentile(0.99)),
		};
	}

	state(): LatencyState {
		const buckets = [...this.#buckets.entries()].filter(([, count]) => count > 0);
		return { buckets, sumMs: this.#sumMs, lastMs: this.#lastMs, maxMs: this.#maxMs };
	}

	static restore(state: LatencyState): LatencyHistogram {
		const histogram = new LatencyHistogram();
		for (const [index, count] of state.buckets) {
			if (index < 0 || index >= BUCKETS) continue;
			histogram.#buckets[index] = count;
			histogram.#count += count;
		}
		histogram.#sumMs = state.sumMs;
		histogram.#lastMs = state.lastMs;
		histogram.#maxMs = state.maxMs;
		return histogram;
	}
}

// Eight buckets per doubling, from a microsecond to about an hour and a half.
const PER_DOUBLING = 8;
const DOUBLINGS = 32;
const BUCKETS = PER_DOUBLING * DOUBLINGS + 1;

function bucketOf(ms: number): number {
	const microseconds = ms * 1000;
	if (microseconds <= 1) return 0;
	return Math.min(BUCKETS - 1, Math.ceil(Math.log2(microseconds) * PER_DOUBLING - 1e-9));
}

function boundOf(index: number): number {
	return 2 ** (index / PER_DOUBLING) / 1000;
}

function round(ms: number): number {
	return Math.round(ms * 1000) / 1000;
}
