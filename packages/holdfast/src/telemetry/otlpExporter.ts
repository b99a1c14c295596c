import { randomBytes } from "node:crypto";
import { callLabel, type TelemetryRecord, type TelemetrySink, telemetryAttributes } from "libmcp";
import { writeStderr } from "libmcp/command";
import type { Host } from "libmcp/host";
import { type OtlpSettings, readOtlpSettings } from "./otlpSettings.ts";

const EVERY_MS = 5_000;
const PATIENCE_MS = 3_000;
/** When the collector is unreachable, spans beyond this limit are dropped. */
const MOST_SPANS = 2_048;
const SCOPE = { name: "libmcp" } as const;
const [INTERNAL, SERVER, FAILED] = [1, 2, 2] as const;

type Signal = "traces" | "metrics";
type Exporting = { readonly everyMs?: number; readonly log: (line: string) => void };

/** Sends hosts' telemetry to an OpenTelemetry collector in batches, without arguments and results of calls. */
export class OtlpExporter {
	readonly #settings: OtlpSettings;
	readonly #log: (line: string) => void;
	readonly #metrics = new OtlpMetrics();
	readonly #timer: NodeJS.Timeout;
	#spans: unknown[] = [];
	#changed = false;
	readonly #failing = new Set<Signal>();

	constructor(settings: OtlpSettings, { everyMs = EVERY_MS, log }: Exporting) {
		this.#settings = settings;
		this.#log = log;
		this.#timer = setInterval(() => void this.flush(), everyMs).unref();
	}

	/** The sink to add to a host's events. */
	sink(name: string): TelemetrySink {
		return { record: (record) => this.#take(name, record), close: () => {} };
	}

	async flush(): Promise<void> {
		const spans = this.#spans;
		const changed: boolean = this.#changed;
		this.#spans = [];
		this.#changed = false;
		const resource = { attributes: toOtlpAttributes(this.#settings.resource) };
		const scopeMetrics = [{ scope: SCOPE, metrics: this.#metrics.metrics }];
		const [, counted = true] = await Promise.all([
			spans.length > 0
				? this.#send("traces", { resourceSpans: [{ resource, scopeSpans: [{ scope: SCOPE, spans }] }] })
				: undefined,
			changed ? this.#send("metrics", { resourceMetrics: [{ resource, scopeMetrics }] }) : undefined,
		]);
		// Counts are totals, so the next attempt makes up for this one even if nothing more happens.
		if (!counted) this.#changed = true;
	}

	async close(): Promise<void> {
		clearInterval(this.#timer);
		await this.flush();
	}

	#take(name: string, record: TelemetryRecord): void {
		if (record.event === "log_opened") return;
		const attributes = telemetryAttributes(name, record);
		this.#metrics.count(record, attributes);
		this.#changed = true;
		if (this.#settings.traces === undefined || this.#spans.length >= MOST_SPANS) return;
		const isCall = record.event === "call";
		const failed = isCall ? record.outcome === "error" || record.outcome === "fault" : record.event === "fault";
		this.#spans.push({
			traceId: randomBytes(16).toString("hex"),
			spanId: randomBytes(8).toString("hex"),
			name: isCall ? callLabel(record) : record.event,
			kind: isCall ? SERVER : INTERNAL,
			startTimeUnixNano: toNanoseconds(isCall ? record.at - record.latencyMs : record.at),
			endTimeUnixNano: toNanoseconds(record.at),
			attributes: toOtlpAttributes(attributes),
			status: failed ? { code: FAILED } : {},
		});
	}

	/** Returns false if the collector did not take it. */
	async #send(signal: Signal, body: unknown): Promise<boolean> {
		const address = this.#settings[signal];
		if (address === undefined) return true;
		try {
			const response = await fetch(address, {
				method: "POST",
				headers: { "content-type": "application/json", ...this.#settings.headers },
				body: JSON.stringify(body),
				signal: AbortSignal.timeout(PATIENCE_MS),
			});
			await response.body?.cancel();
			if (!response.ok) throw new Error(`it answered ${response.status}`);
			this.#failing.delete(signal);
			return true;
		} catch (error) {
			// Reported once for each signal, since a collector may take only one of them; unsent spans are dropped.
			if (!this.#failing.has(signal))
				this.#log(
					`OpenTelemetry ${signal} cannot be sent to ${new URL(address).origin}: ${error instanceof Error ? error.message : String(error)}`,
				);
			this.#failing.add(signal);
			return false;
		}
	}
}

/** Sends this host's telemetry to the collector named by OpenTelemetry's variables, if any. */
export async function exportTelemetry({
	name,
	events,
}: Pick<Host, "name" | "events">): Promise<OtlpExporter | undefined> {
	const settings = readOtlpSettings();
	if (settings === undefined) return undefined;
	const exporter = new OtlpExporter(settings, { log: (line) => writeStderr(`holdfast host: ${line}\n`) });
	events.addSink(exporter.sink(name));
	return exporter;
}

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
		const times = { startTimeUnixNano: toNanoseconds(this.#started), timeUnixNano: toNanoseconds(Date.now()) };
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
		const series = { attributes: toOtlpAttributes(kept), count: 0, sum: 0, buckets };
		all.set(key, series);
		return series;
	}
}

export type Attribute = {
	readonly key: string;
	readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number };
};

export function toOtlpAttributes(attributes: Readonly<Record<string, string | number>>): Attribute[] {
	return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

/** A collector refuses the whole body for an `intValue` that is not a whole number. */
function otlpValue(value: string | number): Attribute["value"] {
	if (typeof value === "string") return { stringValue: value };
	return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Converts Unix milliseconds to a decimal text of nanoseconds, exact to the microsecond. */
export function toNanoseconds(ms: number): string {
	return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
