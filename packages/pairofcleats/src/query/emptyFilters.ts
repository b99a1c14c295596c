import type { SearchRequest } from "./request.ts";
import type { Warning } from "./result.ts";

/** Says which filters were given empty, and so do not limit the answer. */
export function emptyFilters(given: Readonly<Record<string, unknown>>, request: SearchRequest): Warning[] {
	const empty = Object.keys(given).filter((name) => (given[name] ?? undefined) !== undefined && !(name in request));
	if (empty.length === 0) return [];
	const message = `given without a value, so nothing was filtered by ${empty.join(", ")}`;
	return [{ code: "filter_empty", ...(empty.length === 1 && { field: empty[0] }), message }];
}
