import { type Catalog, createEntry } from "../catalog/catalog.ts";
import { nameTools } from "../catalog/naming.ts";
import type { CatalogTool, ToolDefinition } from "../catalog/tool.ts";
import { isUsable } from "../upstream/listTools.ts";
import type { ReachableSpec } from "../upstream/spec.ts";
import { isWanted } from "../upstream/toolListing.ts";

/**
 * A tool that a server offers to one client only, because that client has a capability it needs, or turned it on.
 * Undefined if the catalogue would leave it out anyway.
 */
export function sessionTool(
	spec: ReachableSpec,
	definition: ToolDefinition,
	catalog: Catalog,
): CatalogTool | undefined {
	if (!isUsable(definition) || !isWanted(definition.name, spec)) return undefined;
	const [named] = nameTools(spec.namespace, [definition]).tools;
	// Rules and approvals of another tool must not apply to it.
	if (named === undefined || catalog.get(named.id) !== undefined) return undefined;
	// A changed name depends on the server's other tools, which are not known while the gateway has no list of them.
	if (named.renamed !== undefined && catalog.toolsOf(spec.namespace).length === 0) return undefined;
	return createEntry(named, spec.namespace, { kind: "mcp", mcp: { serverName: spec.name } });
}
