import { computeFingerprint, summarizeRefused, summarizeTool } from "../../catalog/catalog.ts";
import type { CatalogTool } from "../../catalog/tool.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolSummary } from "../../contract/results.ts";
import type { Verdict } from "../../run/access.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import { DEFAULT_LIMIT } from "./schemas.ts";

/** One page of a listing. A cursor is bound to exactly this listing as this caller sees it. */
export function pageOf<T>(
	gateway: Pick<GatewayParts, "catalog" | "cursors">,
	all: readonly T[],
	idOf: (item: T) => string,
	question: unknown,
	args: JsonObject,
): { items: readonly T[]; nextCursor?: string } {
	const limit = typeof args.limit === "number" ? args.limit : DEFAULT_LIMIT;
	if (args.cursor === undefined && all.length <= limit) return { items: all };
	const version = computeFingerprint([gateway.catalog.version, ...all.map(idOf)]);
	const key = { question, limit, version };
	const offset = typeof args.cursor === "string" ? gateway.cursors.read(args.cursor, key) : 0;
	const items = all.slice(offset, offset + limit);
	const end = offset + items.length;
	return end < all.length ? { items, nextCursor: gateway.cursors.issue(end, key) } : { items };
}

/** A tool as models see it in a list. */
export function summarizeFor(tool: CatalogTool, verdict: Verdict): ToolSummary {
	return verdict.kind === "refuse" ? summarizeRefused(tool, verdict.reason) : summarizeTool(tool);
}
