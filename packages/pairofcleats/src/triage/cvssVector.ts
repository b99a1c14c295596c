/** The metrics of a CVSS vector, as written. */
export type Metrics = ReadonlyMap<string, string>;

/** Why a vector has no score; the message names the metric. */
export class BadVector extends Error {}

/** Reads the metrics after the version. A repeated metric is an error. */
export function readMetrics(parts: readonly string[]): Metrics {
	const metrics = new Map<string, string>();
	for (const part of parts) {
		const [name = "", value = ""] = part.split(":");
		if (metrics.has(name)) throw new BadVector(`${name}: expected once, got twice`);
		metrics.set(name, value);
	}
	return metrics;
}

/** The value of a metric; throws if it is missing or unknown. */
export function metricOf(metrics: Metrics, name: string, known: readonly string[]): string {
	const value = metrics.get(name);
	if (value !== undefined && known.includes(value)) return value;
	throw new BadVector(`${name}: expected ${known.join(", ")}, got ${value?.slice(0, 20) || "nothing"}`);
}
