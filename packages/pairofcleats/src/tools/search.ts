import { emptyFilters } from "../query/emptyFilters.ts";
import { searchInRepository } from "../query/inRepository.ts";
import { readSearchRequest } from "../query/readRequest.ts";
import { searchPayload } from "../searching/writtenSearch.ts";
import type { ToolCall, ToolHandler } from "../workspace/toolCall.ts";
import { afterFirstIndex } from "./afterFirstIndex.ts";

export const handler: ToolHandler<"search"> = async ({ render, ...args }, call) => {
	const { label, root, engine } = await call.repository();
	const request = searchInRepository(root, readSearchRequest(args));
	for (const warning of emptyFilters(args, request)) call.warn(warning);
	if (!args.repoPath) warnOfOthers(label, call);
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

const MOST_NAMED = 5;

/** A search that names no repository covers the default one, which a caller who sees several may not expect. */
function warnOfOthers(searched: string, { workspace, warn }: ToolCall): void {
	const others = workspace.repositories.slice(1).map((root) => workspace.nameOf(root));
	if (others.length === 0) return;
	const named = others.slice(0, MOST_NAMED).join(", ") + (others.length > MOST_NAMED ? ", …" : "");
	const message = `only ${searched} was searched; repoPath names another repository: ${named}`;
	warn({ code: "default_repository", field: "repoPath", message });
}
