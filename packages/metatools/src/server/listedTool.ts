import { summarizeRefused, summarizeTool } from "../catalog/catalog.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import type { ToolSummary } from "../contract/results.ts";
import type { Verdict } from "../run/access.ts";

/** A tool as models see it in a list. */
export function listedTool(tool: CatalogTool, verdict: Verdict): ToolSummary {
	return verdict.kind === "refuse" ? summarizeRefused(tool, verdict.reason) : summarizeTool(tool);
}
