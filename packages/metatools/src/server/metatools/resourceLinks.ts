import type { CatalogTool } from "../../catalog/tool.ts";
import { ToolError, toolErrorFrom } from "../../contract/errors.ts";
import { isObject, type JsonObject, showValue } from "../../contract/json.ts";
import { createRefusal, type Viewer } from "../../run/access.ts";
import { runPatiently } from "../../run/patience.ts";
import { pageOf, type Readable } from "../../run/resultStore.ts";
import type { RunResult, ToolRunner } from "../../run/runner.ts";
import { MOST_CHARS } from "../answers/answer.ts";
import { renderContent, splitBlocks } from "../answers/blocks.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool } from "../metatool.ts";
import { createInputSchema, createOutputSchema, TEXT } from "./schemas.ts";

type Parts = Pick<GatewayParts, "catalog" | "results" | "runner" | "timeoutOf" | "upstreams" | "verdict">;

/** Further links of an answer get no handle, as each handle takes the place of a kept result, and are only named. */
export const MOST_LINKS = 20;

/** Gives a handle to each resource that a tool links to: a model cannot read resources, but it can call read_result. */
export function createLinkingRunner(gateway: Parts): ToolRunner {
	return {
		...gateway.runner,
		async run(request) {
			const result = await gateway.runner.run(request);
			const content = Array.isArray(result.mcpResult?.content) ? result.mcpResult.content.filter(isObject) : [];
			return result.tool.backend.kind === "mcp" && content.some(isLink)
				? withHandles(gateway, result, content, request.viewer)
				: result;
		},
	};
}

function withHandles(gateway: Parts, result: RunResult, content: readonly JsonObject[], viewer: Viewer): RunResult {
	const { tool } = result;
	let left = MOST_LINKS;
	const readable = content.map((block) => {
		if (!isLink(block) || left-- <= 0) return block;
		const { uri } = block;
		// Captures only these values, so that the kept handle does not keep the whole answer in memory.
		const load = (signal: AbortSignal) => readLinked(gateway, tool, uri, viewer, signal);
		return { ...block, read: `read_result {"handle":"${gateway.results.keepUnread(load, viewer)}"}` };
	});
	const isValue = result.mcpResult?.structuredContent === undefined;
	return { ...result, ...(isValue && { structured: readable }), links: readable.filter(isLink) };
}

function isLink(block: JsonObject): block is JsonObject & { readonly uri: string } {
	return block.type === "resource_link" && typeof block.uri === "string";
}

async function readLinked(
	gateway: Parts,
	tool: CatalogTool,
	uri: string,
	viewer: Viewer,
	signal: AbortSignal,
): Promise<Readable> {
	// A caller who may no longer run the tool, as it is now, may not read its resources either.
	const verdict = gateway.verdict(gateway.catalog.get(tool.id) ?? tool, viewer);
	if (verdict.kind !== "allow")
		throw createRefusal(tool, verdict.kind === "refuse" ? verdict.reason : "The tool that named it is gone.");
	const known = { tool_id: tool.id, backend_kind: tool.backend.kind, op: "execute" } as const;
	const timeoutMs = gateway.timeoutOf(tool.namespace);
	let answer: unknown;
	try {
		answer = await runPatiently(timeoutMs, signal, (either) => gateway.upstreams.read(tool, uri, either));
	} catch (thrown) {
		const failure = toolErrorFrom(thrown, known);
		if (failure.object.code !== "timeout" || signal.aborted) throw failure;
		const said = `The resource ${showValue(uri)} was not read within ${timeoutMs} ms; execution_timeout of its server gives it longer.`;
		throw new ToolError("timeout", said, { ...known, retryable: true });
	}
	const contents = isObject(answer) && Array.isArray(answer.contents) ? answer.contents.filter(isObject) : undefined;
	if (contents === undefined)
		throw new ToolError("execution_failed", `The server answered resources/read with ${showValue(answer)}.`, known);
	const { value, media } = splitBlocks(contents.map((resource) => ({ type: "resource", resource })));
	return { text: contentsText(value), media };
}

/** Texts as they are, and a placeholder for anything else. */
function contentsText(blocks: unknown): string {
	const list = Array.isArray(blocks) ? blocks.filter(isObject) : [];
	return renderContent(list.map((block) => (isText(block.resource) ? block.resource : block)));
}

function isText(resource: unknown): resource is JsonObject {
	return isObject(resource) && typeof resource.text === "string";
}

/** Room for the numbers around a page. */
const NUMBERS_CHARS = 100;

export function createReadResult(gateway: Pick<GatewayParts, "isTextOnly" | "results" | "settings">): Metatool {
	return {
		name: "read_result",
		title: "Read more of a result",
		description: "Read on in a cut answer: handle and offset as its notice says.",
		inputSchema: createInputSchema({ handle: TEXT, offset: { type: "integer", minimum: 0 } }, ["handle"]),
		outputSchema: createOutputSchema(
			{ text: TEXT, offset: { type: "integer" }, totalChars: { type: "integer" }, nextOffset: { type: "integer" } },
			["text", "offset", "totalChars"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const offset = typeof args.offset === "number" ? args.offset : 0;
			const maxChars = Math.min(
				typeof args.max_chars === "number" ? args.max_chars : gateway.settings.maxChars,
				MOST_CHARS,
			);
			// If the page is also sent as JSON, each quote and line break takes two characters there.
			const isPlain = gateway.isTextOnly && args.render !== "json";
			const most = Math.max(100, Math.floor(isPlain ? maxChars : maxChars / 2) - NUMBERS_CHARS);
			const { text, media = [] } = await gateway.results.open(String(args.handle), viewer, signal);
			const page = pageOf(text, offset, most);
			const more =
				page.nextOffset === undefined
					? ""
					: `\n… ${page.totalChars - page.nextOffset} more characters from offset ${page.nextOffset}`;
			return { data: page, text: `${page.text}${more}`, ...(offset === 0 && media.length > 0 && { media }) };
		},
	};
}
