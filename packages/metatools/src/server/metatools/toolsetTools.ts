import { countText } from "libmcp";
import type { CatalogTool } from "../../catalog/tool.ts";
import type { Viewer } from "../../run/access.ts";
import { findToolset, listToolsOf, type Toolset } from "../../toolsets/toolset.ts";
import { renderTable, renderToolTable } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import { createUnknownIdError, type Metatool } from "../metatool.ts";
import { summarizeFor } from "./listingPage.ts";
import {
	COUNT,
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	TEXT,
	TOOL_SUMMARY,
} from "./schemas.ts";

type Parts = Pick<GatewayParts, "catalog" | "covers" | "toolsets" | "upstreams" | "verdict">;

export function createToolsetTools(gateway: Parts): readonly Metatool[] {
	return [listToolsets(gateway), describeToolset(gateway)];
}

function listToolsets(gateway: Parts): Metatool {
	return {
		name: "list_toolsets",
		title: "List toolsets",
		description: "List named groups of tools.",
		inputSchema: createInputSchema({}),
		outputSchema: createOutputSchema(
			{
				toolsets: createListSchema(
					createObjectSchema({ id: TEXT, name: TEXT, description: TEXT, toolCount: COUNT }, [
						"id",
						"name",
						"toolCount",
					]),
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
				text: renderTable(
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
		inputSchema: createInputSchema({ toolset_id: TEXT }, ["toolset_id"]),
		outputSchema: createOutputSchema(
			{
				toolset: createObjectSchema(
					{ id: TEXT, name: TEXT, description: TEXT, tools: createListSchema(TOOL_SUMMARY) },
					["id", "name", "tools"],
				),
			},
			["toolset"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const known = visibleToolsets(gateway, viewer);
			const set = findToolset(known, String(args.toolset_id));
			if (set === undefined)
				throw createUnknownIdError(
					"toolset",
					String(args.toolset_id),
					known.map(({ id }) => id),
				);
			const tools = visible(gateway, viewer, listToolsOf(gateway.catalog, set)).map((tool) =>
				summarizeFor(tool, gateway.verdict(tool, viewer)),
			);
			const toolset = {
				id: set.id,
				name: set.name,
				...(set.description !== undefined && { description: set.description }),
				tools,
			};
			return { data: { toolset }, text: `${set.id}\n${renderToolTable(tools.length, tools)}` };
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
