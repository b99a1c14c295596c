import { BACKEND_KINDS } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { LONGEST_CALL_MS } from "../../run/patience.ts";

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

export const TEXT = { type: "string" } as const;
export const OBJECT = { type: "object" } as const;
export const COUNT = { type: "integer", minimum: 0 } as const;
export const ANYTHING = {} as const;

export const LIMIT = { type: "integer", minimum: 1, maximum: MAX_LIMIT } as const;
export const CURSOR = TEXT;
/** How long one run may take, an hour at most. */
export const TIMEOUT = { type: "integer", minimum: 1, maximum: LONGEST_CALL_MS } as const;

// Said once, in the server's instructions: these two would otherwise be explained to the model fifteen times.
const PRESENTATION = { render: { enum: ["porcelain", "json"] }, max_chars: { type: "integer", minimum: 200 } } as const;

/** An input schema: the given fields, how the answer is to be shown, and nothing else. */
export function createInputSchema(properties: JsonObject, required: readonly string[] = []): JsonObject {
	return {
		type: "object",
		properties: { ...properties, ...PRESENTATION },
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
}

/** An output schema: the given fields, or an error; SDK clients check it in both cases. */
export function createOutputSchema(properties: JsonObject, required: readonly string[]): JsonObject {
	return {
		type: "object",
		properties: { ...properties, error: ERROR_OBJECT, truncated: OBJECT },
		anyOf: [{ required }, { required: ["error"] }],
		additionalProperties: false,
	};
}

export function createObjectSchema(
	properties: JsonObject,
	required: readonly string[] = Object.keys(properties),
): JsonObject {
	return { type: "object", properties, required, additionalProperties: false };
}

export function createListSchema(items: JsonObject): JsonObject {
	return { type: "array", items };
}

/** Every tool-level error; the table of codes is documentation, not repeated to clients in each schema. */
export const ERROR_OBJECT = { type: "object", required: ["code", "message", "retryable"] } as const;

export const BACKEND = { type: "object", properties: { kind: { enum: BACKEND_KINDS } }, required: ["kind"] } as const;

export const TOOL_SUMMARY = createObjectSchema(
	{ id: TEXT, name: TEXT, namespace: TEXT, shortDescription: TEXT, tags: createListSchema(TEXT) },
	["id", "name"],
);

/** A tool that was searched for; `need` is the part of the task that it serves. */
export const FOUND_TOOL = createObjectSchema(
	{ id: TEXT, name: TEXT, namespace: TEXT, shortDescription: TEXT, tags: createListSchema(TEXT), need: TEXT },
	["id", "name"],
);

export const EXAMPLE = createObjectSchema(
	{ id: TEXT, title: TEXT, description: TEXT, args: OBJECT, resultHint: TEXT },
	["title", "description", "args"],
);

export const SKILL_STEP = createObjectSchema({ id: TEXT, tool_id: TEXT, inputs: OBJECT }, ["tool_id"]);
