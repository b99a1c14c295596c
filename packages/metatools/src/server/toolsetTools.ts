import { countText } from "libmcp";
import type { CatalogTool } from "../catalog/tool.ts";
import type { Viewer } from "../run/access.ts";
import { findToolset, listToolsOf, type Toolset } from "../toolsets/toolset.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { listedTool } from "./listedTool.ts";
import type { Metatool } from "./metatool.ts";
import { table, toolTable } from "./porcelain.ts";
import { COUNT, input, list, object, output, TEXT, TOOL_SUMMARY } from "./schemas.ts";
import { unknownId } from "./unknownId.ts";

type Parts = Pick<GatewayParts, "catalog" | "covers" | "toolsets" | "upstreams" | "verdict">;

export function toolsetMetatools(gateway: Parts): readonly Metatool[] {
	return [listToolsets(gateway), describeToolset(gateway)];
}

function listToolsets(gateway: Parts): Metatool {
	return {
		name: "list_toolsets",
		title: "List toolsets",
		description: "List named groups of tools.",
		inputSchema: input({}),
		outputSchema: output(
			{
				toolsets: list(
					object({ id: TEXT, name: TEXT, description: TEXT, toolCount: COUNT }, ["id", "name", "toolCount"]),
				),
			},
			["toolsets"],
		),
		recovery: "replay_safe",
		async handle(_args, { viewer }) {
			const toolsets = visibleToolsets(gateway, viewer).map((set) => ({
				id: set.id,
				name: set.name,
				...(set.description !== undefined && { description: set.description }),
				toolCount: visible(gateway, viewer, listToolsOf(gateway.catalog, set)).length,
			}));
			return {
				data: { toolsets },
				text: table(
					countText(toolsets.length, "toolset"),
					["toolset", "tools", "description"],
					toolsets.map((set) => [set.id, set.toolCount, set.description ?? ""]),
				),
			};
		},
	};
}

function describeToolset(gateway: Parts): Metatool {
	return {
		name: "describe_toolset",
		title: "Describe a toolset",
		description: "List the tools of one toolset.",
		inputSchema: input({ toolset_id: TEXT }, ["toolset_id"]),
		outputSchema: output(
			{
				toolset: object({ id: TEXT, name: TEXT, description: TEXT, tools: list(TOOL_SUMMARY) }, [
					"id",
					"name",
					"tools",
				]),
			},
			["toolset"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const known = visibleToolsets(gateway, viewer);
			const set = findToolset(known, String(args.toolset_id));
			if (set === undefined)
				throw unknownId(
					"toolset",
					String(args.toolset_id),
					known.map(({ id }) => id),
				);
			const tools = visible(gateway, viewer, listToolsOf(gateway.catalog, set)).map((tool) =>
				listedTool(tool, gateway.verdict(tool, viewer)),
			);
			const toolset = {
				id: set.id,
				name: set.name,
				...(set.description !== undefined && { description: set.description }),
				tools,
			};
			return { data: { toolset }, text: `${set.id}\n${toolTable(tools.length, tools)}` };
		},
	};
}

/** A caller's own toolset, those with a tool that it sees, and those without tools that hold nothing hidden from it. */
function visibleToolsets(gateway: Parts, viewer: Viewer): readonly Toolset[] {
	const servers = gateway.upstreams.all.map(({ spec }) => spec.namespace);
	return gateway.toolsets.filter((set) => {
		if (viewer.toolset !== undefined && findToolset([set], viewer.toolset) !== undefined) return true;
		const tools = listToolsOf(gateway.catalog, set);
		if (tools.length > 0) return visible(gateway, viewer, tools).length > 0;
		// The empty name stands for any server: callers who see only some of them are not admitted to it.
		return ["", ...servers.filter((namespace) => set.mayHold(namespace))].every((namespace) =>
			gateway.covers(namespace, viewer),
		);
	});
}

function visible(gateway: Parts, viewer: Viewer, tools: readonly CatalogTool[]): readonly CatalogTool[] {
	return tools.filter((tool) => gateway.verdict(tool, viewer).kind !== "hide");
}
