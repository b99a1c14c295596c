const BUCKET_MS = 10_000;
const BUCKETS = 360;
const MAX_TOOLS = 200;
const OTHER_TOOLS = "(other)";
// Upper bounds of the latency buckets, each 1.2 times the one before: 1 ms to about 10 min.
const STEP = 1.2;
const BOUNDS = 74;

type Bucket = { calls: number; errors: number; readonly latency: Uint32Array };

export type TrafficSeries = {
	/** Seconds since the epoch at which each bucket begins. */
	readonly time: readonly number[];
	readonly callsPerSecond: readonly number[];
	/** 0 to 1; null for a bucket without calls. */
	readonly errorRate: readonly (number | null)[];
	readonly p50: readonly (number | null)[];
	readonly p99: readonly (number | null)[];
};

export type TrafficTotals = {
	readonly calls: number;
	readonly errors: number;
	readonly p50: number | null;
	readonly p99: number | null;
};

/** Counts the calls of the last hour in buckets of ten seconds: in total, per server and per tool. */
export class Traffic {
	readonly #now: () => number;
	/** By `*`, `server` or `server:tool`, then by bucket number. */
	readonly #series = new Map<string, Map<number, Bucket>>();

	constructor(now: () => number = Date.now) {
		this.#now = now;
	}

	ended(server: string, toolId: string, durationMs: number, failed: boolean): void {
		const number = Math.floor(this.#now() / BUCKET_MS);
		// An unknown tool has the same key as its server; the set counts it once.
		for (const key of new Set(["*", server, this.#tool(toolId)])) {
			const buckets = this.#series.get(key) ?? new Map<number, Bucket>();
			this.#series.set(key, buckets);
			const bucket = buckets.get(number) ?? { calls: 0, errors: 0, latency: new Uint32Array(BOUNDS) };
			if (bucket.calls === 0) {
				buckets.set(number, bucket);
				keepHour(buckets, number);
			}
			bucket.calls++;
			if (failed) bucket.errors++;
			const place = boundOf(durationMs);
			bucket.latency[place] = (bucket.latency[place] ?? 0) + 1;
		}
	}

	/** The whole hour, empty buckets included. */
	series(key: string): TrafficSeries {
		const buckets = this.#series.get(key);
		const last = Math.floor(this.#now() / BUCKET_MS);
		const numbers = Array.from({ length: BUCKETS }, (_, place) => last - BUCKETS + 1 + place);
		const found = numbers.map((number) => buckets?.get(number));
		return {
			time: numbers.map((number) => (number * BUCKET_MS) / 1000),
			callsPerSecond: found.map((bucket) => ((bucket?.calls ?? 0) * 1000) / BUCKET_MS),
			errorRate: found.map((bucket) => (bucket === undefined ? null : bucket.errors / bucket.calls)),
			p50: found.map((bucket) => (bucket === undefined ? null : quantile([bucket], 0.5))),
			p99: found.map((bucket) => (bucket === undefined ? null : quantile([bucket], 0.99))),
		};
	}

	/** Totals of the last hour, by the same keys as the series. */
	totals(): Readonly<Record<string, TrafficTotals>> {
		const newest = Math.floor(this.#now() / BUCKET_MS);
		const totals: Record<string, TrafficTotals> = {};
		for (const [key, buckets] of this.#series) {
			keepHour(buckets, newest);
			const all = [...buckets.values()];
			if (all.length === 0) this.#series.delete(key);
			else
				totals[key] = {
					calls: all.reduce((sum, { calls }) => sum + calls, 0),
					errors: all.reduce((sum, { errors }) => sum + errors, 0),
					p50: quantile(all, 0.5),
					p99: quantile(all, 0.99),
				};
		}
		return totals;
	}

	#tool(toolId: string): string {
		return this.#series.has(toolId) || this.#series.size < MAX_TOOLS ? toolId : OTHER_TOOLS;
	}
}

/** After the clock was set back, buckets lie in the future and would never expire; drop those too. */
function keepHour(buckets: Map<number, Bucket>, newest: number): void {
	for (const number of buckets.keys()) if (number > newest || number <= newest - BUCKETS) buckets.delete(number);
}

function boundOf(durationMs: number): number {
	return Math.min(BOUNDS - 1, Math.max(0, Math.ceil(Math.log(Math.max(1, durationMs)) / Math.log(STEP))));
}

function quantile(buckets: readonly Bucket[], share: number): number | null {
	const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
	if (calls === 0) return null;
	let left = Math.ceil(calls * share);
	for (let place = 0; place < BOUNDS; place++) {
		for (const { latency } of buckets) left -= latency[place] ?? 0;
		if (left <= 0) return Math.round(STEP ** place * 10) / 10;
	}
	return null;
}
