import { countText } from "libmcp";
import { compareText } from "../../catalog/catalog.ts";
import type { CatalogTool } from "../../catalog/tool.ts";
import { BACKEND_KINDS } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Viewer } from "../../run/access.ts";
import { renderTable, renderToolTable } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool, Output } from "../metatool.ts";
import { listStatuses, type NamespaceStatus } from "../namespaces.ts";
import { pageOf, summarizeFor } from "./listingPage.ts";
import {
	CURSOR,
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	LIMIT,
	TEXT,
	TOOL_SUMMARY,
} from "./schemas.ts";
import { searchTools } from "./searchTool.ts";

type Parts = Pick<
	GatewayParts,
	"admits" | "arriving" | "catalog" | "cursors" | "missing" | "search" | "upstreams" | "verdict" | "waiting"
>;

const PAGE = { tools: createListSchema(TOOL_SUMMARY), nextCursor: TEXT };

export function createListingTools(gateway: Parts): readonly Metatool[] {
	return [searchTools(gateway), listTools(gateway), listNamespaces(gateway)];
}

function listTools(gateway: Parts): Metatool {
	return {
		name: "list_tools",
		title: "List tools",
		description: "List tools by id, of all servers or of one.",
		inputSchema: createInputSchema({
			limit: LIMIT,
			cursor: CURSOR,
			backend_kind: { enum: BACKEND_KINDS },
			backend_name: TEXT,
		}),
		outputSchema: createOutputSchema(PAGE, ["tools"]),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const { backend_kind: kind, backend_name: name } = args;
			const found = gateway.catalog.tools.filter(
				(tool) =>
					gateway.verdict(tool, viewer).kind !== "hide" &&
					(kind === undefined || tool.backend.kind === kind) &&
					(name === undefined || backendName(tool) === name),
			);
			return toolPage(gateway, found, ["list_tools", kind, name], args, viewer);
		},
	};
}

function listNamespaces(gateway: Parts): Metatool {
	return {
		name: "list_namespaces",
		title: "List namespaces",
		description: "List the connected servers and the state of each.",
		inputSchema: createInputSchema({ limit: LIMIT, cursor: CURSOR }),
		outputSchema: createOutputSchema(
			{
				namespaces: createListSchema(TEXT),
				details: createListSchema(
					createObjectSchema(
						{
							namespace: TEXT,
							state: TEXT,
							tools: { type: "integer" },
							since: TEXT,
							reason: TEXT,
							problems: createListSchema(TEXT),
						},
						["namespace", "state", "tools"],
					),
				),
				nextCursor: TEXT,
			},
			["namespaces"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const all = listStatuses(gateway, viewer).toSorted((a, b) => compareText(a.namespace, b.namespace));
			const { items, nextCursor } = pageOf(
				gateway,
				all,
				(entry) => entry.namespace,
				["list_namespaces", viewer.id],
				args,
			);
			return {
				data: {
					namespaces: items.map((entry) => entry.namespace),
					details: items,
					...(nextCursor !== undefined && { nextCursor }),
				},
				text: renderTable(
					countText(all.length, "namespace"),
					["namespace", "state", "tools", "reason"],
					items.map((entry) => [entry.namespace, entry.state, entry.tools, remark(entry)]),
					nextCursor,
				),
			};
		},
	};
}

/** The first problem of a server or its tools; the structured data has all of them. */
function remark({ reason, problems: [first, ...others] = [] }: NamespaceStatus): string {
	if (reason !== undefined || first === undefined) return reason ?? "";
	return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

function toolPage(
	gateway: Parts,
	found: readonly CatalogTool[],
	question: readonly unknown[],
	args: JsonObject,
	viewer: Viewer,
): Output {
	const { items, nextCursor } = pageOf(gateway, found, (tool) => tool.id, [...question, viewer.id], args);
	const tools = items.map((tool) => summarizeFor(tool, gateway.verdict(tool, viewer)));
	return {
		data: { tools, ...(nextCursor !== undefined && { nextCursor }) },
		text: renderToolTable(found.length, tools, nextCursor),
	};
}

function backendName({ backend }: CatalogTool): string {
	switch (backend.kind) {
		case "mcp":
			return backend.mcp.serverName;
		case "local":
			return backend.local.name;
		case "provider":
			return backend.provider.providerId;
	}
}
