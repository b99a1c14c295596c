import { withQuestions } from "./callContext.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { argumentsOf, named } from "./named.ts";
import { isRecord } from "./protocol.ts";
import { unknownMethod } from "./rpcErrors.ts";
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
