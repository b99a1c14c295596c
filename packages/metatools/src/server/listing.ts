import { countText } from "libmcp";
import { compareText, computeFingerprint } from "../catalog/catalog.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { BACKEND_KINDS } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Viewer } from "../run/access.ts";
import { clausesOf } from "../search/text/clauses.ts";
import { invalidArguments } from "./arguments.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { listedTool } from "./listedTool.ts";
import type { Metatool, Output } from "./metatool.ts";
import { type NamespaceStatus, namespaceStatuses } from "./namespaces.ts";
import { table, toolTable } from "./porcelain.ts";
import { CURSOR, DEFAULT_LIMIT, input, LIMIT, list, object, output, TEXT, TOOL_SUMMARY } from "./schemas.ts";

type Parts = Pick<
	GatewayParts,
	"admits" | "arriving" | "catalog" | "cursors" | "missing" | "search" | "upstreams" | "verdict" | "waiting"
>;

const MAX_QUERIES = 16;
/** They are ranked without a pause, during which no other caller is answered. */
const MAX_QUERY_CHARS = 10_000;
/** More rows per query cost tokens and improved nothing on the public queries (`npm run bench -- tool-search`). */
const ROWS_FOR_ONE_NEED = 10;
/** How long the first search waits for servers that are still connecting. */
const ARRIVAL_MS = 3_000;
const PAGE = { tools: list(TOOL_SUMMARY), nextCursor: TEXT };

export function listingMetatools(gateway: Parts): readonly Metatool[] {
	return [searchTools(gateway), listTools(gateway), listNamespaces(gateway)];
}

function searchTools(gateway: Parts): Metatool {
	let patience: AbortSignal | undefined;
	return {
		name: "search_tools",
		title: "Search tools",
		description: "Find tools of all servers by what they do: plain words, a whole task, or queries with one need each.",
		inputSchema: input({
			query: TEXT,
			queries: { ...list(TEXT), maxItems: MAX_QUERIES },
			limit: LIMIT,
			cursor: CURSOR,
		}),
		outputSchema: output(PAGE, ["tools"]),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const queries = [args.query, args.queries].flat().filter((query) => typeof query === "string");
			if (queries.length === 0) throw invalidArguments([{ kind: "missing", at: ["query"] }]);
			const length = queries.join("").length;
			if (length > MAX_QUERY_CHARS) {
				const says = `expected at most ${MAX_QUERY_CHARS} characters in all`;
				const at = [args.queries === undefined ? "query" : "queries"];
				throw invalidArguments([{ kind: "other", at, says, got: length }]);
			}
			// A search right after the start would otherwise wrongly find nothing.
			patience ??= AbortSignal.timeout(ARRIVAL_MS);
			const either = AbortSignal.any([signal, patience]);
			await Promise.allSettled(
				gateway.arriving(viewer).map((namespace) => gateway.upstreams.arrival(namespace, either)),
			);
			const refused = new Set<string>();
			const found = await gateway.search.find(queries, (tool) => {
				const { kind } = gateway.verdict(tool, viewer);
				if (kind === "refuse") refused.add(tool.id);
				return kind === "allow";
			});
			const limit = queries.length > 1 || clausesOf(queries[0] ?? "").length > 2 ? DEFAULT_LIMIT : ROWS_FOR_ONE_NEED;
			const question = ["search_tools", gateway.search.strategy, queries];
			const page = toolPage(gateway, found, question, { limit, ...args }, viewer);
			const coming = gateway.arriving(viewer);
			const missing = gateway.missing(viewer);
			const notes = [
				// Only their number: the words of a tool that nobody has approved may be meant to mislead.
				...(refused.size === 0
					? []
					: [`not shown until a person approves it: ${countText(refused.size, "tool")}; list_tools says which`]),
				...(coming.length === 0 ? [] : [`still connecting: ${coming.join(", ")}`]),
				...(missing.length === 0 ? [] : [`not connected: ${missing.join(", ")}; list_namespaces says why`]),
			];
			return { ...page, text: [page.text, ...notes].join("\n") };
		},
	};
}

function listTools(gateway: Parts): Metatool {
	return {
		name: "list_tools",
		title: "List tools",
		description: "List tools by id, of all servers or of one.",
		inputSchema: input({
			limit: LIMIT,
			cursor: CURSOR,
			backend_kind: { enum: BACKEND_KINDS },
			backend_name: TEXT,
		}),
		outputSchema: output(PAGE, ["tools"]),
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
		inputSchema: input({ limit: LIMIT, cursor: CURSOR }),
		outputSchema: output(
			{
				namespaces: list(TEXT),
				details: list(
					object(
						{
							namespace: TEXT,
							state: TEXT,
							tools: { type: "integer" },
							since: TEXT,
							reason: TEXT,
							problems: list(TEXT),
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
			const all = namespaceStatuses(gateway, viewer).toSorted((a, b) => compareText(a.namespace, b.namespace));
			const { items, nextCursor } = page(
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
				text: table(
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
	const { items, nextCursor } = page(gateway, found, (tool) => tool.id, [...question, viewer.id], args);
	const tools = items.map((tool) => listedTool(tool, gateway.verdict(tool, viewer)));
	return {
		data: { tools, ...(nextCursor !== undefined && { nextCursor }) },
		text: toolTable(found.length, tools, nextCursor),
	};
}

/** One page of a listing. A cursor is bound to exactly this listing as this caller sees it. */
function page<T>(
	gateway: Parts,
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
