import { countText, porcelain, tableLines } from "libmcp";
import { toPlainLine } from "../../catalog/text.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Viewer } from "../../run/access.ts";
import type { Found, FoundTool } from "../../search/catalogSearch.ts";
import { hasSeveralNeeds } from "../../search/text/clauses.ts";
import { MAX_CELL, UNBOUNDED } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool, Output } from "../metatool.ts";
import { createArgumentError } from "./arguments.ts";
import { foundRows } from "./foundRows.ts";
import { pageOf, summarizeFor } from "./listingPage.ts";
import { MissingServers } from "./missingServers.ts";
import {
	CURSOR,
	createInputSchema,
	createListSchema,
	createOutputSchema,
	DEFAULT_LIMIT,
	FOUND_TOOL,
	LIMIT,
	TEXT,
} from "./schemas.ts";

type Parts = Pick<GatewayParts, "arriving" | "catalog" | "cursors" | "missing" | "search" | "upstreams" | "verdict">;

const MAX_QUERIES = 16;
/** More rows per need cost tokens and improved nothing on the public queries (`npm run bench -- tool-search`). */
const ROWS_FOR_ONE_NEED = 10;
const ROWS_FOR_A_TASK = 15;
/** What is shown where nothing fits, in case something does after all. */
const NEAREST = 2;
/** How long the first search waits for servers that are still connecting. */
const ARRIVAL_MS = 3_000;
const MAX_NEED = 40;

/** The metatool that finds tools by what they do. */
export function searchTools(gateway: Parts): Metatool {
	let patience: AbortSignal | undefined;
	const missing = new MissingServers();
	return {
		name: "search_tools",
		title: "Search tools",
		description: "Find tools of all servers by what they do: plain words, a whole task, or queries with one need each.",
		inputSchema: createInputSchema({
			query: TEXT,
			queries: { ...createListSchema(TEXT), maxItems: MAX_QUERIES },
			limit: LIMIT,
			cursor: CURSOR,
		}),
		outputSchema: createOutputSchema(
			{ tools: createListSchema(FOUND_TOOL), nothingFits: { type: "boolean" }, nextCursor: TEXT },
			["tools"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const queries = [args.query, args.queries].flat().filter((query) => typeof query === "string");
			if (queries.length === 0) throw createArgumentError([{ kind: "missing", at: ["query"] }]);
			// A search right after the start would otherwise wrongly find nothing.
			patience ??= AbortSignal.timeout(ARRIVAL_MS);
			const either = AbortSignal.any([signal, patience]);
			await Promise.allSettled(
				gateway.arriving(viewer).map((namespace) => gateway.upstreams.arrival(namespace, either)),
			);
			const refused = new Set<string>();
			const found = await gateway.search.search(queries, (tool) => {
				const { kind } = gateway.verdict(tool, viewer);
				if (kind === "refuse") refused.add(tool.id);
				return kind === "allow";
			});
			const page = answer(gateway, found, queries, args, viewer);
			const coming = gateway.arriving(viewer);
			const absent = missing.newsFor(viewer, gateway.missing(viewer), found.nothingFits, queries);
			const notes = [
				// Only their number: the words of a tool that nobody has approved may be meant to mislead.
				...(refused.size === 0
					? []
					: [`not shown until a person approves it: ${countText(refused.size, "tool")}; list_tools says which`]),
				...(coming.length === 0 ? [] : [`still connecting: ${coming.join(", ")}`]),
				...(absent.length === 0 ? [] : [`not connected: ${absent.join(", ")}; list_namespaces says why`]),
			];
			return { ...page, text: [page.text, ...notes].join("\n") };
		},
	};
}

function answer(
	gateway: Parts,
	{ tools: all, nothingFits }: Found,
	queries: readonly string[],
	args: JsonObject,
	viewer: Viewer,
): Output {
	const severalNeeds = queries.length > 1 || queries.some(hasSeveralNeeds);
	const limit = queries.length > 1 ? DEFAULT_LIMIT : severalNeeds ? ROWS_FOR_A_TASK : ROWS_FOR_ONE_NEED;
	// Who asks for more rows, or for the next, means to look on.
	const showsNearest = nothingFits && args.limit === undefined && args.cursor === undefined;
	const found = showsNearest ? all.slice(0, NEAREST) : all;
	const question = ["search_tools", gateway.search.strategy, queries, viewer.id];
	const { items, nextCursor } = pageOf(gateway, found, ({ tool }) => tool.id, question, { limit, ...args });
	const tools = items.map(({ tool, need }) => ({
		...summarizeFor(tool, gateway.verdict(tool, viewer)),
		...(severalNeeds && need !== undefined && { need }),
	}));
	return {
		data: { tools, ...(nothingFits && { nothingFits }), ...(nextCursor !== undefined && { nextCursor }) },
		text: answerText(found.length, items, queries, { nothingFits, severalNeeds, isLast: nextCursor === undefined }),
	};
}

type Shape = { readonly nothingFits: boolean; readonly severalNeeds: boolean; readonly isLast: boolean };

function answerText(total: number, items: readonly FoundTool[], queries: readonly string[], shape: Shape): string {
	if (total === 0) return "no tools found; list_namespaces shows what is connected";
	const count = items.length < total ? `${items.length} of ${countText(total, "tool")}` : countText(total, "tool");
	const groups = Map.groupBy(items, ({ need }) => (shape.severalNeeds ? need : undefined));
	const rows = [...groups.values()].flat().map(({ tool }) => ({ tool, says: tool.shortDescription }));
	const [columns = "", ...lines] = tableLines(["tool", "description"], foundRows(rows, queries), MAX_CELL);
	const grouped = [...groups].flatMap(([need, { length }]) => [
		...(need === undefined ? [] : [`for: ${toPlainLine(need, MAX_NEED)}`]),
		...lines.splice(0, length),
	]);
	const heading = shape.nothingFits ? "nothing here seems to do that; nearest:" : count;
	const more = shape.isLast || shape.nothingFits ? [] : ["a higher limit shows more"];
	return porcelain(heading, [columns, ...grouped, ...more], UNBOUNDED);
}
