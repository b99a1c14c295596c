import { randomBytes } from "node:crypto";
import { callLabel, type TelemetryRecord, type TelemetrySink, telemetryAttributes } from "libmcp";
import { OtlpMetrics } from "./otlpMetrics.ts";
import type { OtlpSettings } from "./otlpSettings.ts";
import { nanoseconds, otlpAttributes } from "./otlpValue.ts";

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
		const resource = { attributes: otlpAttributes(this.#settings.resource) };
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
			startTimeUnixNano: nanoseconds(isCall ? record.at - record.latencyMs : record.at),
			endTimeUnixNano: nanoseconds(record.at),
			attributes: otlpAttributes(attributes),
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
