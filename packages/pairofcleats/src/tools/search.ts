import { readSearchRequest } from "../query/readRequest.ts";
import type { SearchResult } from "../repo/result.ts";
import type { ToolHandler } from "./tool.ts";

export const handler: ToolHandler = async ({ render: _, ...args }, call) => {
	const { label, engine } = await call.repository();
	const request = readSearchRequest(args);
	call.progress({ phase: "search", message: "Running search." });
	const result = await engine.search(request, call.signal);
	for (const warning of result.warnings) call.warn(warning);
	return { repo: label, search: payloadOf(result) };
};

/** Times stay out of the payload: the same search on the same index is the same answer, on every surface. */
function payloadOf({
	timings: _,
	checkedAt: __,
	...payload
}: SearchResult): Omit<SearchResult, "timings" | "checkedAt"> {
	return payload;
}
