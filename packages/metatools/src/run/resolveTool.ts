import { nearest } from "libmcp/command";
import type { Catalog } from "../catalog/catalog.ts";
import { cutText } from "../catalog/text.ts";
import type { CatalogTool } from "../catalog/tool.ts";
import { MAX_ID_LENGTH, parseToolId } from "../catalog/toolId.ts";
import { type Operation, ToolError, toolErrorFromAbort } from "../contract/errors.ts";
import { showValue } from "../contract/json.ts";
import { checkAll, type Gate, type Viewer } from "./access.ts";
import { runPatiently } from "./patience.ts";

/** The visible tool that an id stands for; a hidden tool gives the same error as a missing one. */
export function resolveTool(catalog: Catalog, gates: readonly Gate[], id: string, viewer: Viewer): CatalogTool {
	// No tool has a longer id, and comparing a long one with every name for a suggestion is slow.
	if (id.length > MAX_ASKED_LENGTH || parseToolId(id) === undefined)
		throw new ToolError(
			"tool_not_found",
			`tool_id: expected name, namespace:name or namespace:name:version, got ${showValue(id)}`,
			{
				tool_id: cutText(id, MAX_ID_LENGTH),
				op: "validate_tool_id",
			},
		);
	const found = catalog.resolve(id).filter((tool) => checkAll(gates, tool, viewer).kind !== "hide");
	const [only, ...others] = found;
	if (only !== undefined && others.length === 0) return only;
	const candidates = found.map((tool) => tool.id).slice(0, 10);
	const { search = "search_tools" } = viewer;
	const message =
		only === undefined
			? `No tool is called ${id}; ${suggestionFor(catalog, gates, id, viewer) ?? `${search} finds tools by what they do.`}`
			: `${id} may be ${candidates.join(" or ")}; name one.`;
	throw new ToolError("tool_not_found", message, {
		tool_id: id,
		op: "resolve",
		...(candidates.length > 0 && { details: { candidates } }),
	});
}

const MAX_ASKED_LENGTH = 2 * MAX_ID_LENGTH;
/** Names beyond these are not compared, so as not to delay the answer. */
const MOST_COMPARED = 2_000;

/** Suggests the tool of that name on the same server, else those on other servers, else the most similar id. */
function suggestionFor(catalog: Catalog, gates: readonly Gate[], id: string, viewer: Viewer): string | undefined {
	const visible = (tools: readonly CatalogTool[]): readonly CatalogTool[] =>
		tools.filter((tool) => checkAll(gates, tool, viewer).kind !== "hide");
	const name = id.split(SEPARATORS).at(-1) ?? "";
	const declared = catalog.tools.filter(
		({ definition }) => definition.name === name || id.endsWith(`:${definition.name}`),
	);
	const plain = normalise(id);
	const isAlike = (own: string) => own.length === id.length && normalise(own) === plain;
	const alike = catalog.tools.filter((tool) => isAlike(tool.id) || isAlike(tool.name));
	const namesakes = visible([...new Set([...catalog.resolve(name), ...declared, ...alike])]);
	const there = namesakes.filter(
		({ namespace }) =>
			normalise(id).startsWith(normalise(namespace)) && id.slice(namespace.length).search(SEPARATORS) === 0,
	);
	const suggested = idsOf(there.length > 0 ? there : namesakes).slice(0, MOST_SUGGESTED);
	if (suggested.length > 0) return `did you mean ${suggested.join(" or ")}?`;
	const found = nearestId(id, visible(catalog.tools.slice(0, MOST_COMPARED)));
	return found === undefined ? undefined : `did you mean ${found}?`;
}

/** If the server's name is right, compares tool names only: with the shared prefix, all ids would look similar. */
function nearestId(id: string, tools: readonly CatalogTool[]): string | undefined {
	const server = tools.map(({ namespace }) => `${namespace}:`).find((start) => id.startsWith(start));
	if (server === undefined) return nearest(id, idsOf(tools));
	const names = idsOf(tools).flatMap((one) => (one.startsWith(server) ? [one.slice(server.length)] : []));
	const name = nearest(id.slice(server.length), names);
	return name === undefined ? undefined : server + name;
}

/** Removes differences that models confuse (case, punctuation), keeping the length. */
function normalise(name: string): string {
	return name.replaceAll(/[^A-Za-z0-9]/g, "_").toLowerCase();
}

function idsOf(tools: readonly CatalogTool[]): string[] {
	return tools.map((tool) => tool.id);
}

/** Separators that other gateways and clients put between server and tool. */
const SEPARATORS = /[:./]|__/;
const MOST_SUGGESTED = 3;

/** Resolves an id to a tool. Rejects only with ToolError, or when the signal aborts. */
export type FindTool = (id: string, viewer: Viewer, signal: AbortSignal) => Promise<CatalogTool>;

type Sought = { readonly toolId: string; readonly viewer: Viewer; readonly signal: AbortSignal };

/** The tool, if its server is connected before the time is over. Rejects with ToolError only. */
export function findInTime(
	find: FindTool,
	{ toolId, viewer, signal }: Sought,
	timeoutMs: number,
): Promise<CatalogTool> {
	return runPatiently(timeoutMs, signal, async (either) => {
		try {
			return await find(toolId, viewer, either);
		} catch (thrown) {
			if (!either.aborted) throw thrown;
			if (signal.aborted) throw toolErrorFromAbort(signal, { tool_id: toolId, op: "resolve" });
			throw createConnectingError(toolId, `after ${timeoutMs} ms`, "resolve");
		}
	});
}

/** The failure of a call whose time is up before its server is connected. */
export function createConnectingError(toolId: string, when: string, op: Operation): ToolError {
	const said = `Nothing was called: ${when} the server of ${toolId} is still connecting; list_namespaces tells when it is ready.`;
	return new ToolError("timeout", said, { tool_id: toolId, op, retryable: true });
}
