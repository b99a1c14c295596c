import type { CatalogTool } from "./tool.ts";
import { formatToolId, parseToolId } from "./toolId.ts";

/**
 * Every id by which a rule may name a tool. Its server chooses the version, for which a long name may have to be cut, and must
 * not escape a rule by that.
 */
export function ruleIds(tool: Pick<CatalogTool, "id" | "namespace" | "definition">): readonly string[] {
	return [...askedIds(tool.id), formatToolId(tool.namespace, tool.definition.name)];
}

/** The same for a tool of which only the id is known that somebody asks for. */
export function askedIds(id: string): readonly string[] {
	const parts = parseToolId(id);
	if (parts?.version === undefined) return [id];
	return [id, formatToolId(parts.namespace ?? "", parts.name)];
}
