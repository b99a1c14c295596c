import { MAX_PROGRESS_PER_SECOND } from "libmcp";
import { SCHEMA_VERSION } from "../contract/envelope.ts";
import { ERROR_TABLE } from "../contract/errors.ts";
import { isObject } from "../contract/isObject.ts";
import { SEARCH_ARGUMENTS, SEARCH_DEFAULTS } from "../query/arguments.ts";
import { TOOL_NAMES, toolOf } from "../registry/registry.ts";
import type { JsonSchema, Tool } from "../registry/tool.ts";

/** All parts of the contract whose changes must raise the schema version; wording is kept apart from meaning. */
export type ContractSnapshot = {
	readonly schemaVersion: string;
	readonly tools: Readonly<Record<string, ToolSnapshot>>;
	readonly errors: Readonly<Record<string, unknown>>;
	readonly envelope: Readonly<Record<string, unknown>>;
	readonly http: Readonly<Record<string, unknown>>;
	readonly behaviour: Readonly<Record<string, unknown>>;
	/** What a call does where its caller says nothing. */
	readonly defaults: Readonly<Record<string, unknown>>;
};

type ToolSnapshot = {
	readonly wording: Readonly<Record<string, unknown>>;
	readonly arguments: Readonly<Record<string, Field>>;
	readonly result: Readonly<Record<string, Field>>;
	readonly timeoutMs: number;
	readonly recovery: string;
	readonly aliasOf?: string;
};

type Field = { readonly required: boolean; readonly schema: JsonSchema; readonly flag?: string };

export function contractSnapshot(): ContractSnapshot {
	return {
		schemaVersion: SCHEMA_VERSION,
		tools: Object.fromEntries(TOOL_NAMES.map((name) => [name, snapshotOf(name, toolOf(name))])),
		errors: Object.fromEntries(
			Object.entries(ERROR_TABLE).map(([code, { http, rpc, meaning, remedy }]) => [
				code,
				{ http, rpc, wording: { meaning, remedy } },
			]),
		),
		envelope: ENVELOPE,
		http: {
			paths: {
				"/health": "GET",
				"/status": "GET",
				"/status/stream": "GET",
				"/search": "POST",
				"/search/stream": "POST",
				"/openapi.json": "GET",
				"/metrics": "GET",
			},
			results: { "/health": ["uptimeMs"], "/status": ["repo", "status"], "/search": ["repo", "search"] },
			events: {
				"/status/stream": ["start", "result", "error", "done"],
				"/search/stream": ["start", "progress", "result", "error", "done"],
			},
			envelope: ENVELOPE,
		},
		behaviour: BEHAVIOUR,
		defaults: { search: SEARCH_DEFAULTS },
	};
}

const ENVELOPE = {
	success: ["ok", "result", "_meta"],
	failure: ["ok", "error", "_meta"],
	error: { required: ["code", "message"], optional: ["details"] },
	meta: {
		required: ["schemaVersion", "toolingVersion", "ts"],
		optional: {
			requestId: "string",
			repo: "string",
			durationMs: "number",
			warnings: "array of {code, message, field}",
		},
	},
} as const;

/** Observable behaviour of cancellation, timeouts and queueing. */
const BEHAVIOUR = {
	cancel: {
		sdk: "notifications/cancelled stops the work; no answer, no further progress",
		legacy: "$/cancelRequest stops the work; one answer with CANCELLED",
		http: "a closed connection stops the work",
	},
	timeout: {
		sdk: "the work is stopped; a tool error TOOL_TIMEOUT with details.timeoutMs",
		legacy: "the work is stopped; an error payload TOOL_TIMEOUT with timeoutMs",
		http: "the work is stopped; 504 with TOOL_TIMEOUT",
	},
	overload: { sdk: "-32001 with details.queue", legacy: "an error payload QUEUE_OVERLOADED", http: "503" },
	progressPerSecond: MAX_PROGRESS_PER_SECOND,
} as const;

function snapshotOf(name: string, tool: Tool): ToolSnapshot {
	const { title, description, inputSchema, result, optional = {}, timeoutMs, effect, aliasOf } = tool;
	const properties = Object.entries(recordOf(inputSchema.properties));
	const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
	const flags: Readonly<Record<string, { readonly flag: string | null }>> = name === "search" ? SEARCH_ARGUMENTS : {};
	return {
		wording: { title, description, arguments: Object.fromEntries(properties.map(([key, of]) => [key, wordingOf(of)])) },
		arguments: Object.fromEntries(
			properties.map(([key, of]) => {
				const { description: _, ...schema } = recordOf(of);
				const flag = flags[key]?.flag;
				return [key, { required: required.includes(key), schema, ...(typeof flag === "string" && { flag }) }];
			}),
		),
		result: {
			...Object.fromEntries(Object.entries(result).map(([key, schema]) => [key, { required: true, schema }])),
			...Object.fromEntries(Object.entries(optional).map(([key, schema]) => [key, { required: false, schema }])),
		},
		timeoutMs,
		recovery: effect.recovery.kind,
		...(aliasOf !== undefined && { aliasOf }),
	};
}

function wordingOf(schema: unknown): unknown {
	return recordOf(schema).description ?? "";
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? { ...value } : {};
}
