import type { TrafficSeries, TrafficTotals } from "../../record/traffic.ts";
import type { Answers } from "../answers.ts";
import { COUNT, type Endpoint, list, object, TEXT } from "../endpoint.ts";

const MAYBE = { type: ["number", "null"] } as const;
const NUMBER = { type: "number" } as const;
const TOTALS = object<TrafficTotals>({ calls: COUNT, errors: COUNT, p50: MAYBE, p99: MAYBE });

export const trafficEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/traffic",
		id: "getTraffic",
		summary: "Calls, errors and latency of the last hour: of all, of one server or of one tool",
		query: { of: { ...TEXT, description: "A server's namespace or a tool's id; all calls without it" } },
		answer: object<Answers["getTraffic"]>({
			of: TEXT,
			series: object<TrafficSeries>({
				time: list(NUMBER),
				callsPerSecond: list(NUMBER),
				errorRate: list(MAYBE),
				p50: list(MAYBE),
				p99: list(MAYBE),
			}),
			totals: { type: "object", additionalProperties: TOTALS },
		}),
		handle({ recorder, query }) {
			const of = typeof query.of === "string" && query.of !== "" ? query.of : "*";
			return { of, series: recorder.traffic.series(of), totals: recorder.traffic.totals() };
		},
	},
];
