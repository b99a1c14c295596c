import { withQuestions } from "./callContext.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { argumentsOf, named } from "./named.ts";
import type { Prompt } from "./prompt.ts";
import { isRecord } from "./protocol.ts";

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
