import { ALL_ERROR_CODES } from "./apiError.ts";
import { describeObject, type Endpoint, TEXT } from "./endpoint.ts";
import { EVENTS } from "./events.ts";
import { approvalEndpoints } from "./routes/approvals.ts";
import { codeEndpoints } from "./routes/code.ts";
import { fleetEndpoints } from "./routes/fleet.ts";
import { callEndpoints, timelineEndpoints, trafficEndpoints } from "./routes/record.ts";
import { serverEndpoints } from "./routes/servers.ts";
import { toolEndpoints } from "./routes/tools.ts";

/** The OpenAPI 3.1 document of these endpoints. */
export function describeApi(endpoints: readonly Endpoint[], version: string): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const endpoint of endpoints) {
		const path = paths[endpoint.path] ?? {};
		paths[endpoint.path] = path;
		path[endpoint.method.toLowerCase()] = operation(endpoint);
	}
	paths["/api/events"] = { get: EVENT_STREAM };
	return {
		openapi: "3.1.0",
		info: {
			title: "Holdfast",
			version,
			description: "The servers behind the gateway, what they did, and the tools they offer.",
			license: { name: "MIT", identifier: "MIT" },
		},
		paths,
		security: [{}, { token: [] }],
		components: {
			securitySchemes: { token: { type: "http", scheme: "bearer" } },
			schemas: {
				Error: describeObject({
					error: describeObject({ code: { enum: ALL_ERROR_CODES }, message: TEXT, details: { type: "object" } }, [
						"code",
						"message",
					]),
				}),
			},
			responses: { Error: { description: "What went wrong", ...json({ $ref: "#/components/schemas/Error" }) } },
		},
	};
}

function operation({ id, summary, path, query = {}, body, answer, status = 200 }: Endpoint): Record<string, unknown> {
	const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		name,
		in: "path",
		required: true,
		schema: TEXT,
	}));
	const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema }));
	return {
		operationId: id,
		summary,
		...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
		...(body !== undefined && { requestBody: { required: true, ...json(body) } }),
		responses: {
			[status]: { description: "Done", ...json(answer) },
			default: { $ref: "#/components/responses/Error" },
		},
	};
}

function json(schema: unknown): Record<string, unknown> {
	return { content: { "application/json": { schema } } };
}

const EVENT_STREAM = {
	operationId: "streamEvents",
	summary: "Live data as server-sent events",
	description: Object.entries(EVENTS)
		.map(([name, says]) => `- \`${name}\`: ${says}`)
		.join("\n"),
	responses: {
		200: { description: "Events until either side closes", content: { "text/event-stream": { schema: TEXT } } },
	},
};

/** Everything the API can do. */
export const ENDPOINTS: readonly Endpoint[] = [
	...serverEndpoints,
	...fleetEndpoints,
	...trafficEndpoints,
	...timelineEndpoints,
	...callEndpoints,
	...toolEndpoints,
	...approvalEndpoints,
	...codeEndpoints,
];
