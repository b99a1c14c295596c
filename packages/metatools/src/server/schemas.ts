import { BACKEND_KINDS, ERROR_CODES, OPERATIONS } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

export const TEXT = { type: "string" } as const;
export const OBJECT = { type: "object" } as const;
export const ANYTHING = {} as const;

export const LIMIT = {
	type: "integer",
	minimum: 1,
	maximum: MAX_LIMIT,
	default: DEFAULT_LIMIT,
	description: "Results per page; more than 100 are never given.",
} as const;
export const CURSOR = { type: "string", description: "nextCursor of the page before." } as const;

const PRESENTATION = {
	render: {
		enum: ["porcelain", "json"],
		description: "Form of the text: short lines (default) or the JSON of structuredContent.",
	},
	max_chars: {
		type: "integer",
		minimum: 200,
		description: "Longest answer wanted; read_result pages through what was cut.",
	},
} as const;

/** An input schema: the given fields, how the answer is to be shown, and nothing else. */
export function input(properties: JsonObject, required: readonly string[] = []): JsonObject {
	return {
		type: "object",
		properties: { ...properties, ...PRESENTATION },
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}

/** An output schema: the given fields, or an error; SDK clients check it in both cases. */
export function output(properties: JsonObject, required: readonly string[]): JsonObject {
	return {
		type: "object",
		properties: { ...properties, error: ERROR_OBJECT, truncated: TRUNCATED },
		anyOf: [{ required }, { required: ["error"] }],
		additionalProperties: false,
	};
}

export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
	return { type: "object", properties, required, additionalProperties: false };
}

export function list(items: JsonObject): JsonObject {
	return { type: "array", items };
}

export const ERROR_OBJECT = object(
	{
		code: { enum: Object.keys(ERROR_CODES) },
		message: TEXT,
		tool_id: TEXT,
		op: { enum: OPERATIONS },
		backend_kind: { enum: BACKEND_KINDS },
		step_index: { type: "integer", minimum: 0 },
		retryable: { type: "boolean" },
		details: OBJECT,
	},
	["code", "message", "retryable"],
);

const TRUNCATED = object({ handle: TEXT, totalChars: { type: "integer" }, nextOffset: { type: "integer" } });

export const BACKEND = object(
	{
		kind: { enum: BACKEND_KINDS },
		mcp: object({ serverName: TEXT }),
		local: object({ name: TEXT }),
		provider: object({ providerId: TEXT, toolId: TEXT }),
	},
	["kind"],
);

export const TOOL_SUMMARY = object(
	{ id: TEXT, name: TEXT, namespace: TEXT, shortDescription: TEXT, tags: list(TEXT) },
	["id", "name"],
);

export const EXAMPLE = object({ id: TEXT, title: TEXT, description: TEXT, args: OBJECT, resultHint: TEXT }, [
	"title",
	"description",
	"args",
]);

export const SKILL_STEP = object({ id: TEXT, tool_id: TEXT, inputs: OBJECT }, ["tool_id"]);
