import { RPC_CODES, RpcError } from "../fault/rpcError.ts";
import { type CallContext, withQuestions } from "./callContext.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { isRecord, nameOf } from "./protocol.ts";
import type { Resource } from "./resource.ts";
import { PROTOCOL_ERRORS, protocolError } from "./rpcErrors.ts";

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
	if (typeof uri !== "string") throw protocolError("INVALID_PARAMS", `uri: expected a string, got ${nameOf(uri)}`);
	for (const { reader } of resources) {
		const found = await reader(uri)?.(context);
		if (found !== undefined) return found;
	}
	const message = `uri: expected a resource of this server, got ${JSON.stringify(uri.slice(0, 256))}`;
	// The handshake era has its own error code for this.
	const code = context.era === "legacy" ? RPC_CODES.resourceNotFound : PROTOCOL_ERRORS.INVALID_PARAMS;
	throw new RpcError(code, message, { code: "NOT_FOUND", message, uri });
}
