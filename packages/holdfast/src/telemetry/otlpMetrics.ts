import type { TelemetryRecord } from "libmcp";
import { type Attribute, nanoseconds, otlpAttributes } from "./otlpValue.ts";

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
const COUNTERS = {
	restart: "libmcp.restarts",
	fault: "libmcp.faults",
	replay: "libmcp.replays",
	rollout_step: "libmcp.rollout.steps",
} as const;
/** Servers choose the tool names in attributes, so the number of series needs a limit; more are not counted. */
const MOST_SERIES = 2_000;

type Series = {
	readonly attributes: readonly Attribute[];
	count: number;
	sum: number;
	readonly buckets: number[];
};

/** Cumulative counts since the start, as OTLP metrics. */
export class OtlpMetrics {
	readonly #started = Date.now();
	readonly #series = new Map<string, Map<string, Series>>();
	#size = 0;

	count(record: TelemetryRecord, attributes: Readonly<Record<string, string | number>>): void {
		if (record.event === "log_opened") return;
		const isCall = record.event === "call";
		const series = this.#find(isCall ? "mcp.server.operation.duration" : COUNTERS[record.event], attributes);
		if (series === undefined) return;
		series.count += 1;
		if (!isCall) return;
		const seconds = record.latencyMs / 1_000;
		series.sum += seconds;
		const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
		const at = bucket === -1 ? BOUNDS.length : bucket;
		series.buckets[at] = (series.buckets[at] ?? 0) + 1;
	}

	get metrics(): readonly unknown[] {
		const times = { startTimeUnixNano: nanoseconds(this.#started), timeUnixNano: nanoseconds(Date.now()) };
		return [...this.#series].map(([name, all]) => {
			const points = [...all.values()];
			const common = { aggregationTemporality: 2 };
			if (name.startsWith("libmcp.")) {
				const dataPoints = points.map(({ attributes, count }) => ({ ...times, attributes, asInt: String(count) }));
				return { name, sum: { ...common, isMonotonic: true, dataPoints } };
			}
			const dataPoints = points.map(({ attributes, count, sum, buckets }) => {
				const bucketCounts = buckets.map(String);
				return { ...times, attributes, count: String(count), sum, bucketCounts, explicitBounds: BOUNDS };
			});
			return { name, unit: "s", histogram: { ...common, dataPoints } };
		});
	}

	#find(name: string, attributes: Readonly<Record<string, string | number>>): Series | undefined {
		const all = this.#series.get(name) ?? new Map<string, Series>();
		this.#series.set(name, all);
		const { "libmcp.generation": _, ...kept } = attributes;
		const key = JSON.stringify(kept);
		const known = all.get(key);
		if (known !== undefined || this.#size >= MOST_SERIES) return known;
		this.#size += 1;
		const buckets = new Array<number>(BOUNDS.length + 1).fill(0);
		const series = { attributes: otlpAttributes(kept), count: 0, sum: 0, buckets };
		all.set(key, series);
		return series;
	}
}
