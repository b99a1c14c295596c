import type { Admission } from "../tools/admission.ts";

type Counted = { count: number; seconds: number };

/** Request counters of the API, in the Prometheus text format. */
export class ApiMetrics {
	readonly #started = performance.now();
	readonly #requests = new Map<string, Counted>();

	ended(route: string, status: number, ms: number): void {
		const key = `route="${route}",status="${status}"`;
		const counted = this.#requests.get(key) ?? { count: 0, seconds: 0 };
		counted.count += 1;
		counted.seconds += ms / 1000;
		this.#requests.set(key, counted);
	}

	text({ running, waiting }: Admission["load"]): string {
		const rows = [...this.#requests].sort(([a], [b]) => (a < b ? -1 : 1));
		return [
			...head("pairofcleats_uptime_seconds", "gauge", "Time since the API started."),
			`pairofcleats_uptime_seconds ${((performance.now() - this.#started) / 1000).toFixed(3)}`,
			...head("pairofcleats_calls_running", "gauge", "Calls being worked on."),
			`pairofcleats_calls_running ${running}`,
			...head("pairofcleats_calls_waiting", "gauge", "Calls that wait for their turn."),
			`pairofcleats_calls_waiting ${waiting}`,
			...head("pairofcleats_http_requests_total", "counter", "Requests answered, by route and status."),
			...rows.map(([labels, { count }]) => `pairofcleats_http_requests_total{${labels}} ${count}`),
			...head("pairofcleats_http_request_seconds_total", "counter", "Time spent answering, by route and status."),
			...rows.map(
				([labels, { seconds }]) => `pairofcleats_http_request_seconds_total{${labels}} ${seconds.toFixed(6)}`,
			),
			"",
		].join("\n");
	}
}

function head(name: string, type: "gauge" | "counter", help: string): string[] {
	return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
