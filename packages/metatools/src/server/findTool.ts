import type { CatalogTool } from "../catalog/tool.ts";
import { parseToolId } from "../catalog/toolId.ts";
import { ToolError } from "../contract/errors.ts";
import type { Viewer } from "../run/access.ts";
import { resolveTool } from "../run/resolveTool.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import type { Metatool } from "./metatool.ts";

type Parts = Pick<GatewayParts, "admits" | "catalog" | "gates" | "upstreams"> & {
	readonly metatools: readonly Metatool[];
};

/** The tool that an id stands for, once its server has had time to connect; throws why there is none. */
export async function findTool(gateway: Parts, id: string, viewer: Viewer, signal: AbortSignal): Promise<CatalogTool> {
	const isUnknown = gateway.catalog.resolve(id).length === 0;
	if (isUnknown && gateway.metatools.some(({ name }) => name === id)) {
		const message = `${id} is no tool of a server; call it by itself.`;
		throw new ToolError("tool_not_found", message, { tool_id: id, op: "resolve" });
	}
	const { namespace = "", name = "" } = parseToolId(id) ?? {};
	if (isUnknown && gateway.admits(namespace, viewer, id)) {
		await gateway.upstreams.arrival(namespace, signal);
		const leftOut = gateway.upstreams.leftOut(namespace, name);
		if (leftOut !== undefined)
			throw new ToolError("tool_not_found", `${id} cannot be used: ${leftOut}`, { tool_id: id, op: "resolve" });
	}
	return resolveTool(gateway.catalog, gateway.gates, id, viewer);
}
