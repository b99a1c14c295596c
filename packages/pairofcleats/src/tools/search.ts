import { emptyFilters } from "../query/emptyFilters.ts";
import { searchInRepository } from "../query/inRepository.ts";
import { readSearchRequest } from "../query/readRequest.ts";
import { searchPayload } from "../searching/writtenSearch.ts";
import type { ToolHandler } from "../workspace/toolCall.ts";
import { afterFirstIndex } from "./afterFirstIndex.ts";

export const handler: ToolHandler<"search"> = async ({ render, ...args }, call) => {
	const { label, root, engine } = await call.repository();
	const request = searchInRepository(root, readSearchRequest(args));
	for (const warning of emptyFilters(args, request)) call.warn(warning);
	call.progress({ phase: "search", message: "Running search." });
	const { workspace, signal } = call;
	const ask = async () =>
		call.written && render !== "porcelain"
			? (await workspace.searches()).answer(engine, workspace.open, request, signal)
			: engine.search(request, signal);
	const answer = await afterFirstIndex(ask, signal);
	for (const warning of answer.warnings) call.warn(warning);
	return { repo: label, search: "hits" in answer ? searchPayload(answer) : answer };
};
