import { suggestName } from "../../command/nearest.ts";
import { RPC_CODES, RpcError } from "../../fault/rpcError.ts";
import type { Dispatcher } from "../protocol/dispatcher.ts";
import { describeKind, isRecord } from "../protocol/protocol.ts";
import { PROTOCOL_ERRORS, protocolError, unknownMethod } from "../protocol/rpcErrors.ts";
import { type CallContext, withQuestions } from "./callContext.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Tool } from "./tool.ts";

/** Answers `tools/list` and `tools/call`; any other method goes to `otherwise`, or fails as unknown. */
export function toolDispatcher(tools: readonly Tool[], otherwise: Dispatcher = noSuchMethod): Dispatcher {
	const find = named("tool", tools);
	return async (method, params, context) => {
		if (method === "tools/list") return { tools: tools.map((tool) => tool.listed) };
		if (method !== "tools/call") return otherwise(method, params, context);
		const tool = find(isRecord(params) ? params.name : undefined);
		const args = argumentsOf(params);
		return withQuestions(params, context, (asking) => tool.call(args, asking));
	};
}

export async function noSuchMethod(method: string): Promise<never> {
	throw unknownMethod(method);
}

/** Answers `prompts/list` and `prompts/get`. */
export function promptDispatcher(prompts: readonly Prompt[], otherwise: Dispatcher): Dispatcher {
	const find = named("prompt", prompts);
	return async (method, params, context) => {
		if (method === "prompts/list") return { prompts: prompts.map((prompt) => prompt.listed) };
		if (method !== "prompts/get") return otherwise(method, params, context);
		const prompt = find(isRecord(params) ? params.name : undefined);
		const args = argumentsOf(params);
		return withQuestions(params, context, (asking) => prompt.get(args, asking));
	};
}

/** Answers `resources/list`, `resources/templates/list` and `resources/read`; an exact URI takes precedence over a template. */
export function resourceDispatcher(resources: readonly Resource[], otherwise: Dispatcher): Dispatcher {
	const uris = resources.map(({ uri }) => uri);
	const twice = uris.find((uri, index) => uris.indexOf(uri) !== index);
	if (twice !== undefined)
		throw new TypeError(`resources: expected URIs that differ, got ${JSON.stringify(twice)} twice`);
	const templates = resources.filter(({ isTemplate }) => isTemplate);
	const single = resources.filter(({ isTemplate }) => !isTemplate);
	return async (method, params, context) => {
		switch (method) {
			case "resources/list": {
				const families = await Promise.all(templates.map((template) => template.list(context)));
				return { resources: [...single.map(({ listed }) => listed), ...families.flat()] };
			}
			case "resources/templates/list":
				return { resourceTemplates: templates.map(({ listed }) => listed) };
			case "resources/read":
				return withQuestions(params, context, (asking) => readResource([...single, ...templates], params, asking));
			default:
				return otherwise(method, params, context);
		}
	};
}

async function readResource(
	resources: readonly Resource[],
	params: unknown,
	context: CallContext,
): Promise<Record<string, unknown>> {
	const uri = isRecord(params) ? params.uri : undefined;
	if (typeof uri !== "string")
		throw protocolError("INVALID_PARAMS", `uri: expected a string, got ${describeKind(uri)}`);
	for (const { reader } of resources) {
		const found = await reader(uri)?.(context);
		if (found !== undefined) return found;
	}
	const message = `uri: expected a resource of this server, got ${JSON.stringify(uri.slice(0, 256))}`;
	// The handshake era has its own error code for this.
	const code = context.era === "legacy" ? RPC_CODES.resourceNotFound : PROTOCOL_ERRORS.INVALID_PARAMS;
	throw new RpcError(code, message, { code: "NOT_FOUND", message, uri });
}

/** Looks items up by name. Names must be unique; the error for an unknown one suggests the closest. */
function named<Item extends { readonly listed: { readonly name: string } }>(
	kind: "tool" | "prompt",
	items: readonly Item[],
): (name: unknown) => Item {
	const names = items.map(({ listed }) => listed.name);
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice !== undefined)
		throw new TypeError(`${kind}s: expected names that differ, got ${JSON.stringify(twice)} twice`);
	const byName = new Map(items.map((item) => [item.listed.name, item]));
	return (name) => {
		const item = typeof name === "string" ? byName.get(name) : undefined;
		if (item !== undefined) return item;
		const came = typeof name === "string" ? JSON.stringify(name.slice(0, 128)) : describeKind(name);
		const hint = typeof name === "string" ? suggestName(name.slice(0, 128), names) : "";
		throw protocolError("INVALID_PARAMS", `name: expected a ${kind} of this server, got ${came}${hint}`);
	};
}

/** The `arguments` of a request; empty when absent. */
function argumentsOf(params: unknown): Record<string, unknown> {
	const { arguments: args = {} } = isRecord(params) ? params : {};
	if (isRecord(args)) return args;
	throw protocolError("INVALID_PARAMS", `arguments: expected an object, got ${describeKind(args)}`);
}
