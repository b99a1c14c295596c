import { SCHEMA_VERSION } from "../contract/envelope.ts";
import { ERROR_TABLE, type ErrorCode } from "../contract/errors.ts";
import { type ToolName, toolOf } from "../registry/registry.ts";
import { makeOutputSchema } from "../registry/schemas.ts";
import type { JsonSchema } from "../registry/tool.ts";

/** Describes the API as an OpenAPI 3.1 document, generated from the registry that also validates requests. */
export function makeOpenApiDocument(server = "http://127.0.0.1:7345"): Record<string, unknown> {
	return {
		openapi: "3.1.0",
		info: {
			title: "pairofcleats",
			version: SCHEMA_VERSION,
			description: "Search and status of repositories. Every JSON body is an envelope.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: server }],
		security: [{}, { bearer: [] }],
		paths: {
			"/health": {
				get: operation("health", "Whether the server answers", makeOutputSchema({ uptimeMs: { type: "number" } }), []),
			},
			"/status": { get: { ...status("status"), parameters: [...REPO, IF_NONE_MATCH] } },
			"/status/stream": { get: { ...streamed(status("statusStream")), parameters: REPO } },
			"/search": { post: search("search") },
			"/search/stream": { post: streamed(search("searchStream")) },
		},
		components: {
			schemas: {
				Failure: makeOutputSchema({}),
				ErrorCode: { enum: Object.keys(ERROR_TABLE), description: "Every value of error.code" },
			},
			securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
		},
	};
}

type Operation = Readonly<Record<string, unknown>> & { readonly responses: Readonly<Record<string, JsonSchema>> };

const REPO = [
	{
		name: "repo",
		in: "query",
		required: false,
		schema: { type: "string" },
		description: "Repository; the default one when left out",
	},
];
const IF_NONE_MATCH = { name: "If-None-Match", in: "header", required: false, schema: { type: "string" } };
const GUARDED: readonly ErrorCode[] = [
	"UNAUTHORIZED",
	"FORBIDDEN",
	"NOT_FOUND",
	"QUEUE_OVERLOADED",
	"TOOL_TIMEOUT",
	"INTERNAL",
];

function status(id: string): Operation {
	const described = operation(id, toolOf("index_status").description, outputOf("index_status"), [
		"INVALID_REQUEST",
		...GUARDED,
	]);
	return { ...described, responses: { ...described.responses, 304: { description: "Not changed" } } };
}

function search(id: string): Operation {
	const { description, inputSchema } = toolOf("search");
	const described = operation(id, description, outputOf("search"), ["INVALID_REQUEST", "NO_INDEX", ...GUARDED]);
	const more = { 408: failed("The body came too late"), 413: failed("The body is too large"), 415: failed("Not JSON") };
	return {
		...described,
		requestBody: { required: true, content: { "application/json": { schema: inputSchema } } },
		responses: { ...described.responses, ...more },
	};
}

function operation(operationId: string, summary: string, schema: JsonSchema, codes: readonly ErrorCode[]): Operation {
	const failures = codes.map((code) => [ERROR_TABLE[code].http, failed(ERROR_TABLE[code].meaning)]);
	return {
		operationId,
		summary,
		responses: {
			200: { description: "The envelope of a success", content: { "application/json": { schema } } },
			...Object.fromEntries(failures),
		},
	};
}

/** The same operation as an event stream. */
function streamed(described: Operation): Operation {
	const { 304: _, ...responses } = described.responses;
	const events = {
		description: "Events start, progress, result or error, and done; the data of each is an envelope",
		content: { "text/event-stream": { schema: { type: "string" } } },
	};
	return { ...described, responses: { ...responses, 200: events } };
}

function failed(description: string): JsonSchema {
	return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } } };
}

function outputOf(name: ToolName): JsonSchema {
	return makeOutputSchema(toolOf(name).result);
}
