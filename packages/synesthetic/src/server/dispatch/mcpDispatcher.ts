import {
	type Dispatcher,
	EFFECT_META_KEY,
	OPS_TOOLS,
	protocolError,
	RPC_CODES,
	RpcError,
	type ServerDescription,
	WrittenResult,
} from "libmcp/serve";
import type { Assets } from "../../assets.ts";
import { isJsonArray, isJsonObject, type JsonObject, measureTextDepth } from "../../json/jsonValue.ts";
import { stringifyJson } from "../../json/stringifyJson.ts";
import { refuseUnsupported } from "../../results.ts";
import { version } from "../../settings.ts";
import { writeToolMembers } from "../frontEnd/answers.ts";
import { RECOVERIES, type Tool, type ToolName } from "../tools/tool.ts";
import { TOOLS } from "../tools/tools.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";

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
