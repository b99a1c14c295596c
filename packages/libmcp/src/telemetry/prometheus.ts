import { type HealthSnapshot, LIFECYCLE_STATES } from "./healthBoard.ts";
import type { TelemetrySnapshot } from "./telemetryLedger.ts";

/** Both payloads in Prometheus text format 0.0.4; the label `host` is on every sample. */
export function writePrometheus(host: string, health: HealthSnapshot, telemetry: TelemetrySnapshot): string {
	const labels = (more: Record<string, string> = {}) =>
		`{${Object.entries({ host, ...more })
			.map(([name, value]) => `${name}="${escapeLabel(value)}"`)
			.join(",")}}`;
	const lines: string[] = [];
	const metric = (name: string, type: "counter" | "gauge" | "summary", help: string, samples: readonly string[]) => {
		lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples);
	};
	const one = (name: string, type: "counter" | "gauge", help: string, value: number) =>
		metric(name, type, help, [`${name}${labels()} ${value}`]);

	metric(
		"libmcp_state",
		"gauge",
		"1 for the state the host is in.",
		LIFECYCLE_STATES.map((state) => `libmcp_state${labels({ state })} ${state === health.state ? 1 : 0}`),
	);
	one("libmcp_generation", "gauge", "Worker generation.", health.generation);
	one("libmcp_uptime_seconds", "gauge", "Time since the host started.", health.uptimeMs / 1000);
	one("libmcp_consecutive_failures", "gauge", "Faults since the last success.", health.consecutiveFailures);
	one("libmcp_restarts_total", "counter", "Workers replaced after a fault.", health.restartCount);
	one("libmcp_calls_in_flight", "gauge", "Calls without a terminal answer.", telemetry.totals.inFlight);
	metric(
		"libmcp_calls_total",
		"counter",
		"Calls that ended, by method and outcome.",
		telemetry.methods.flatMap(({ method, successes, errors, cancelled }) =>
			Object.entries({ success: successes, error: errors, cancelled }).map(
				([outcome, count]) => `libmcp_calls_total${labels({ method, outcome })} ${count}`,
			),
		),
	);
	metric(
		"libmcp_retries_total",
		"counter",
		"Calls sent to a worker again.",
		telemetry.methods.map(({ method, retries }) => `libmcp_retries_total${labels({ method })} ${retries}`),
	);
	metric(
		"libmcp_faults_total",
		"counter",
		"Faults by class and code.",
		Object.entries(telemetry.faults).map(([name, count]) => {
			const [kind = "", code = ""] = name.split(".");
			return `libmcp_faults_total${labels({ class: kind, code })} ${count}`;
		}),
	);
	metric(
		"libmcp_call_duration_seconds",
		"summary",
		"Time to the terminal answer.",
		telemetry.methods.flatMap(({ method, latency }) => [
			...Object.entries({ "0.5": latency.p50Ms, "0.9": latency.p90Ms, "0.99": latency.p99Ms }).map(
				([quantile, ms]) => `libmcp_call_duration_seconds${labels({ method, quantile })} ${ms / 1000}`,
			),
			`libmcp_call_duration_seconds_sum${labels({ method })} ${(latency.meanMs * latency.count) / 1000}`,
			`libmcp_call_duration_seconds_count${labels({ method })} ${latency.count}`,
		]),
	);
	return `${lines.join("\n")}\n`;
}

function escapeLabel(value: string): string {
	return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
