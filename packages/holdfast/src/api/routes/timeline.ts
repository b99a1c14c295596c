import { TIMELINE_KINDS, type TimelineEntry } from "../../record/timeline.ts";
import type { Answers } from "../answers.ts";
import { ApiError } from "../apiError.ts";
import { COUNT, type Endpoint, list, OBJECT, object, TEXT } from "../endpoint.ts";

const ENTRY = object<TimelineEntry>({
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
		answer: object<Answers["listTimeline"]>({ entries: list(ENTRY), total: COUNT, next: COUNT }, ["entries", "total"]),
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
		answer: object<Answers["getTimelineEntry"]>({ entry: ENTRY }),
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
