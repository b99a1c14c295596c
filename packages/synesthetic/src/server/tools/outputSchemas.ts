import type { JsonObject } from "../../json/jsonValue.ts";

const STRING: JsonObject = { type: "string" };
const ERROR: JsonObject = record({ path: STRING, msg: STRING, schemaPath: STRING }, ["path", "msg"]);
const FAILURE: JsonObject = {
	type: "object",
	properties: {
		ok: { const: false },
		reason: { enum: ["not_found", "validation_failed", "backend_error", "unsupported"] },
		errors: list(ERROR),
		status: { type: "integer" },
		detail: STRING,
	},
	required: ["ok", "reason"],
};
const OPERATION: JsonObject = record({ op: { enum: ["add", "remove", "replace"] }, path: STRING, value: {} }, [
	"op",
	"path",
]);

/** The output schemas of the tools. Each also allows the failure form, because clients check failures too. */
export const OUTPUTS = {
	schemas: success({ schemas: list(record({ name: STRING, version: STRING, path: STRING })) }),
	schema: success({ schema: { type: "object" }, version: STRING }),
	examples: success({ examples: list(record({ component: STRING, path: STRING })) }),
	example: success({ example: { type: "object" }, schema: STRING, validated: { type: "boolean" } }),
	verdict: success({}),
	patch: success({ patch: list(OPERATION) }),
	populated: success({ asset_id: STRING, backend_url: STRING }),
	document: success({ document: {} }),
	compatibility: success({
		compatibility: { enum: ["FULL", "BACKWARD", "FORWARD", "NONE"] },
		reasons: list(record({ breaks: { enum: ["BACKWARD", "FORWARD"] }, path: STRING, msg: STRING })),
	}),
	bundle: success({ schema: { type: "object" } }),
	findings: success({
		valid: { type: "boolean" },
		findings: list(record({ severity: { enum: ["error", "warning"] }, path: STRING, msg: STRING })),
	}),
	fix: success({ patch: list(OPERATION), fixed: { type: "boolean" }, remaining: list(ERROR) }),
} as const;

function success(members: Readonly<Record<string, JsonObject>>): JsonObject {
	return {
		type: "object",
		anyOf: [record({ ok: { const: true }, ...members }), FAILURE],
	};
}

function record(
	properties: Readonly<Record<string, JsonObject>>,
	required: readonly string[] = Object.keys(properties),
): JsonObject {
	return { type: "object", properties, required };
}

function list(items: JsonObject): JsonObject {
	return { type: "array", items };
}
