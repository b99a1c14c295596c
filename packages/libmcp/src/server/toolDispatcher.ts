import { suggestion } from "../command/nearest.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { isRecord, nameOf } from "./protocol.ts";
import { protocolError, unknownMethod } from "./rpcErrors.ts";
import type { Tool } from "./tool.ts";

/** Answers `tools/list` and `tools/call`. Every other method is `otherwise`'s; without one it is not found. */
export function toolDispatcher(tools: readonly Tool[], otherwise?: Dispatcher): Dispatcher {
	const byName = new Map(tools.map((tool) => [tool.listed.name, tool]));
	if (byName.size < tools.length) {
		const names = tools.map((tool) => tool.listed.name);
		const twice = names.find((name, index) => names.indexOf(name) !== index);
		throw new TypeError(`tools: expected names that differ, got ${JSON.stringify(twice)} twice`);
	}
	return async (method, params, context) => {
		if (method === "tools/list") return { tools: tools.map((tool) => tool.listed) };
		if (method !== "tools/call") {
			if (otherwise === undefined) throw unknownMethod(method);
			return otherwise(method, params, context);
		}
		const { name, arguments: args = {} } = isRecord(params) ? params : {};
		const tool = typeof name === "string" ? byName.get(name) : undefined;
		if (tool === undefined) throw unknownTool(name, [...byName.keys()]);
		if (!isRecord(args)) throw protocolError("INVALID_PARAMS", `arguments: expected an object, got ${nameOf(args)}`);
		return tool.call(args, context);
	};
}

function unknownTool(name: unknown, names: readonly string[]): Error {
	const came = typeof name === "string" ? JSON.stringify(name.slice(0, 128)) : nameOf(name);
	const hint = typeof name === "string" ? suggestion(name.slice(0, 128), names) : "";
	return protocolError("INVALID_PARAMS", `name: expected a tool of this server, got ${came}${hint}`);
}
