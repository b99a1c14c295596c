import type { CallEntry } from "../../record/calls.ts";
import { TIMELINE_KINDS, type TimelineEntry } from "../../record/timeline.ts";
import type { TrafficSeries, TrafficTotals } from "../../record/traffic.ts";
import type { Answers } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import { COUNT, describeList, describeObject, type Endpoint, OBJECT, TEXT } from "../endpoint.ts";

const ENTRY = describeObject<TimelineEntry>({
	id: COUNT,
	at: COUNT,
	kind: { enum: TIMELINE_KINDS },
	server: TEXT,
	level: { enum: ["info", "good", "warn", "bad"] },
	summary: TEXT,
	record: OBJECT,
});
const MAX_PAGE = 10_000;

export const timelineEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/timeline",
		id: "listTimeline",
		summary: "What happened, newest first",
		query: {
			kinds: { ...TEXT, description: `Some of ${TIMELINE_KINDS.join(", ")}, with commas` },
			server: TEXT,
			text: TEXT,
			before: { type: "integer", minimum: 1, description: "Only entries older than this id" },
			limit: { type: "integer", minimum: 1, maximum: MAX_PAGE },
		},
		answer: describeObject<Answers["listTimeline"]>({ entries: describeList(ENTRY), total: COUNT, next: COUNT }, [
			"entries",
			"total",
		]),
		handle({ recorder, query: { kinds, server, text, before, limit } }) {
			return recorder.timeline.page({
				...(typeof kinds === "string" && kinds !== "" && { kinds: kindsOf(kinds) }),
				...(typeof server === "string" && server !== "" && { server }),
				...(typeof text === "string" && text !== "" && { text }),
				...(typeof before === "number" && { before }),
				...(typeof limit === "number" && { limit }),
			});
		},
	},
	{
		method: "GET",
		path: "/api/timeline/{id}",
		id: "getTimelineEntry",
		summary: "One entry with the record behind it",
		answer: describeObject<Answers["getTimelineEntry"]>({ entry: ENTRY }),
		handle({ recorder, path: { id } }) {
			const entry = recorder.timeline.get(Number(id));
			if (entry === undefined)
				throw new ApiError("not_found", `the timeline has no entry ${JSON.stringify(id)} any more`);
			return { entry };
		},
	},
];

function kindsOf(text: string): string[] {
	const kinds = text.split(",");
	const unknown = kinds.find((kind) => !TIMELINE_KINDS.some((known) => known === kind));
	if (unknown !== undefined)
		throw new ApiError(
			"invalid_request",
			`query/kinds: expected some of ${TIMELINE_KINDS.join(", ")}, got ${JSON.stringify(unknown)}`,
		);
	return kinds;
}

const CALL = describeObject<CallEntry>(
	{
		id: COUNT,
		toolId: TEXT,
		server: TEXT,
		at: COUNT,
		args: {},
		outcome: { enum: ["running", "ok", "error", "cancelled"] },
		durationMs: { type: "number" },
		result: {},
		error: {},
	},
	["id", "toolId", "server", "at", "outcome"],
);

export const callEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/calls",
		id: "listCalls",
		summary: "The latest calls, newest first, without arguments and results",
		answer: describeObject<Answers["listCalls"]>({ calls: describeList(CALL) }),
		handle: ({ recorder }) => ({
			calls: recorder.calls.latest.map(({ args: _, result: __, ...call }) => call),
		}),
	},
	{
		method: "GET",
		path: "/api/calls/{id}",
		id: "getCall",
		summary: "One of the latest calls; what looks like a secret is masked",
		answer: describeObject<Answers["getCall"]>({ call: CALL }),
		handle({ recorder, path: { id } }) {
			const call = recorder.calls.get(Number(id));
			if (call === undefined)
				throw new ApiError("not_found", `call ${JSON.stringify(id)} is not among the latest any more`);
			return { call };
		},
	},
];

const MAYBE = { type: ["number", "null"] } as const;
const NUMBER = { type: "number" } as const;
const TOTALS = describeObject<TrafficTotals>({ calls: COUNT, errors: COUNT, p50: MAYBE, p99: MAYBE });

export const trafficEndpoints: readonly Endpoint[] = [
	{
		method: "GET",
		path: "/api/traffic",
		id: "getTraffic",
		summary: "Calls, errors and latency of the last hour: of all, of one server or of one tool",
		query: { of: { ...TEXT, description: "A server's namespace or a tool's id; all calls without it" } },
		answer: describeObject<Answers["getTraffic"]>({
			of: TEXT,
			series: describeObject<TrafficSeries>({
				time: describeList(NUMBER),
				callsPerSecond: describeList(NUMBER),
				errorRate: describeList(MAYBE),
				p50: describeList(MAYBE),
				p99: describeList(MAYBE),
			}),
			totals: { type: "object", additionalProperties: TOTALS },
		}),
		handle({ recorder, query }) {
			const of = typeof query.of === "string" && query.of !== "" ? query.of : "*";
			return { of, series: recorder.traffic.series(of), totals: recorder.traffic.totals() };
		},
	},
];
