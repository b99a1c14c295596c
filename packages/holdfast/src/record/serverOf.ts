import type { CatalogTool } from "metatools";

/** The configured name of a tool's server, which the timeline and the server list use; the namespace may differ. */
export function serverOf({ backend, namespace }: Pick<CatalogTool, "backend" | "namespace">): string {
	return backend.kind === "mcp" ? backend.mcp.serverName : namespace;
}
