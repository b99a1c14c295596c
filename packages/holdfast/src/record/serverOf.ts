import type { CatalogTool } from "metatools";

/** What the configuration calls a tool's server, as the timeline and the list of servers do; it may be no namespace. */
export function serverOf({ backend, namespace }: Pick<CatalogTool, "backend" | "namespace">): string {
	return backend.kind === "mcp" ? backend.mcp.serverName : namespace;
}
