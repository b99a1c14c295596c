import {
	type Dispatcher,
	EFFECT_META_KEY,
	OPS_TOOLS,
	protocolError,
	RPC_CODES,
	type RpcContext,
	RpcError,
	type ServerDescription,
	WrittenResult,
} from "libmcp/serve";
import type { Assets } from "../../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, measureTextDepth } from "../../json/jsonValue.ts";
import { stringifyJson } from "../../json/stringifyJson.ts";
import { refuseUnsupported } from "../../results.ts";
import { version } from "../../settings.ts";
import { writeToolMembers } from "../frontEnd/lines.ts";
import { RECOVERIES, type Tool, type ToolName } from "../tools/tool.ts";
import { TOOLS } from "../tools/tools.ts";

/** `hosted` declares `listChanged`, because a host may announce changes of the tool list. */
export function describeServer(hosted: boolean): ServerDescription {
	return {
		info: { name: "synesthetic", title: "Synesthetic assets", version },
		capabilities: { tools: { listChanged: hosted }, resources: { listChanged: false } },
		instructions:
			"Schemas and example assets, validation against JSON Schema draft 2020-12, exact diffs, and a backend to send assets to. " +
			"Start with list_schemas; validate_asset needs a schema by name.",
	};
}

/** The arguments of a call with every number exact, or its result as JSON if their text was enough to compute it. */
export type ReadCall = { readonly args: unknown } | { readonly result: string };

/** Makes the dispatcher that answers the MCP methods. */
export function createMcpDispatcher(
	assets: Assets,
	hosted: boolean,
	readCall: (params: JsonObject) => ReadCall,
): Dispatcher {
	return async (method, params, { era }) => {
		const given = isJsonObject(params) ? params : {};
		switch (method) {
			case "tools/list":
				assertFirstPage(given);
				return { tools: hosted ? [...listTools(), ...OPS_TOOLS] : listTools() };
			case "tools/call":
				return callTool(given.name, readCall(given), assets);
			case "resources/list":
				assertFirstPage(given);
				return { resources: listResources(assets) };
			case "resources/templates/list":
				assertFirstPage(given);
				return { resourceTemplates: RESOURCE_TEMPLATES };
			case "resources/read":
				return { contents: [readResource(given.uri, assets, era)] };
			default:
				throw protocolError("METHOD_NOT_FOUND", `Method not found: ${method.slice(0, 128)}`);
		}
	};
}

// Some clients send null for no cursor.
function assertFirstPage({ cursor = null }: JsonObject): void {
	if (cursor !== null) throw protocolError("INVALID_PARAMS", "cursor: the whole list is one page, there is no other");
}

/** The tools as `tools/list` gives them, contract first. */
export function listTools(): JsonObject[] {
	return [...TOOLS].map(([name, { title, description, input, output }]) => ({
		name,
		title,
		description,
		inputSchema: input,
		outputSchema: output,
		annotations:
			recoveryOf(name) === "replay_safe"
				? { readOnlyHint: true, openWorldHint: false }
				: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
		_meta: { [EFFECT_META_KEY]: { recovery: { kind: recoveryOf(name) } } },
	}));
}

function recoveryOf(name: string): "replay_safe" | "at_most_once" {
	return name in RECOVERIES ? RECOVERIES[name as ToolName] : "at_most_once";
}

async function callTool(name: unknown, call: ReadCall, assets: Assets): Promise<WrittenResult> {
	const tool = typeof name === "string" ? TOOLS.get(name) : undefined;
	if (tool === undefined) {
		const message = `name: expected one of ${[...TOOLS.keys()].join(", ")}`;
		throw new RpcError(RPC_CODES.invalidParams, message, { code: "UNKNOWN_TOOL", message });
	}
	if ("result" in call) return withinLevels(call.result, false);
	const { args } = call;
	if (args !== undefined && !isJsonObject(args)) throw protocolError("INVALID_PARAMS", "arguments: expected an object");
	const wrong = tool.absentIsEmpty === true ? wrongNames(tool, args ?? {}) : [];
	const result = wrong.length > 0 ? refuseUnsupported(wrong.join("; ")) : await tool.run(args ?? {}, assets);
	return withinLevels(stringifyJson(result), !result.ok && !(tool.judges && result.reason === "validation_failed"));
}

const MOST_SHOWN = 64;

/** What is missing, and then what was perhaps meant for it. */
function wrongNames({ input: { properties, required } }: Tool, args: JsonObject): string[] {
	const missing = isJsonArray(required) ? required.map(String).filter((name) => !Object.hasOwn(args, name)) : [];
	if (missing.length === 0) return [];
	const unknown = Object.keys(args).filter((name) => !isJsonObject(properties) || !Object.hasOwn(properties, name));
	return [
		...missing.map((name) => `${name}: expected a JSON value, got nothing`),
		...unknown.map((name) => `${name.slice(0, MOST_SHOWN)}: no such argument`),
	];
}

// The host and many clients reject frames that nest deeper than 256 levels.
const MOST_LEVELS = 250;

function withinLevels(result: string, isError: boolean): WrittenResult {
	const levels = measureTextDepth(result);
	if (levels <= MOST_LEVELS) return new WrittenResult(writeToolMembers(result, isError));
	const why = `the answer nests ${levels} levels deep, over MCP at most ${MOST_LEVELS}; a plain request gets it`;
	return new WrittenResult(writeToolMembers(stringifyJson(refuseUnsupported(why)), true));
}

const SCHEMA = "synesthetic://schema/";
const EXAMPLE = "synesthetic://example/";
const JSON_TYPE = "application/json";

export const RESOURCE_TEMPLATES: readonly JsonObject[] = [
	{ uriTemplate: `${SCHEMA}{name}`, name: "schema", title: "A schema by name", mimeType: "application/schema+json" },
	{ uriTemplate: `${EXAMPLE}{+path}`, name: "example", title: "An example by its path", mimeType: JSON_TYPE },
];

/** Every schema and example as a resource of its own. */
function listResources(assets: Assets): JsonObject[] {
	const schemas = [...assets.catalog.schemas.values()].map(({ name, version }) => ({
		uri: SCHEMA + encodeURIComponent(name),
		name,
		title: version === "" ? `Schema ${name}` : `Schema ${name} ${version}`,
		mimeType: "application/schema+json",
	}));
	const examples = assets.catalog.examples.map(({ inner, component }) => ({
		uri: EXAMPLE + inner.split("/").map(encodeURIComponent).join("/"),
		name: inner,
		title: `Example ${component}`,
		mimeType: JSON_TYPE,
	}));
	return [...schemas, ...examples];
}

/** An unknown resource has a code of its own in the revisions with a handshake. */
function readResource(uri: unknown, assets: Assets, era: RpcContext["era"]): JsonObject {
	const found = typeof uri === "string" ? contentOf(uri, assets) : undefined;
	if (typeof uri !== "string" || found === undefined) {
		const message = `uri: expected one that resources/list gives`;
		const code = era === "legacy" ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
		throw new RpcError(code, message, { code: "NOT_FOUND", message, uri });
	}
	return { uri, ...found };
}

function contentOf(uri: string, assets: Assets): JsonObject | undefined {
	if (uri.startsWith(SCHEMA)) {
		const entry = assets.catalog.schemas.get(decoded(uri.slice(SCHEMA.length)) ?? "");
		return entry && { mimeType: "application/schema+json", text: stringifyJson(entry.schema) };
	}
	if (!uri.startsWith(EXAMPLE)) return undefined;
	const path = decoded(uri.slice(EXAMPLE.length));
	// A client that fills in the template itself takes the path that `list_examples` prints.
	const entry = assets.catalog.examples.find(({ inner }) => inner === path) ?? assets.findExample(path);
	return entry && { mimeType: JSON_TYPE, text: stringifyJson(entry.example) };
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
