import { ToolError } from "../../contract/errors.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import type { RunResult } from "../../run/runner.ts";
import { nameBlocks, renderContent, selectBeside, splitBlocks } from "../answers/blocks.ts";
import { findWordedValue, renderResult } from "../answers/resultText.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import { type Metatool, type Output, readCallOptions } from "../metatool.ts";
import { MOST_LINKS } from "./resourceLinks.ts";
import { ANYTHING, BACKEND, createInputSchema, createOutputSchema, OBJECT, TEXT, TIMEOUT } from "./schemas.ts";

export function createRunTool(gateway: Pick<GatewayParts, "modelRunner">): Metatool {
	const flag = { type: "boolean" } as const;
	return {
		name: "run_tool",
		title: "Run a tool",
		description: "Run a tool with args that fit its schema.",
		inputSchema: createInputSchema(
			{
				tool_id: TEXT,
				args: OBJECT,
				timeout_ms: TIMEOUT,
				stream: flag,
				include_tool: flag,
				include_backend: flag,
				include_mcp_result: flag,
				backend_override: OBJECT,
			},
			["tool_id"],
		),
		outputSchema: createOutputSchema(
			{
				structured: ANYTHING,
				tool: OBJECT,
				backend: BACKEND,
				mcpResult: OBJECT,
				durationMs: { type: "integer", minimum: 0 },
			},
			["structured"],
		),
		recovery: "at_most_once",
		tellsDispatch: true,
		async handle(args, call) {
			const toolId = String(args.tool_id);
			if (args.stream === true)
				throw new ToolError("stream_not_supported", "stream: expected false; streaming is not supported.", {
					tool_id: toolId,
					op: "stream",
				});
			if (args.backend_override !== undefined)
				throw new ToolError("backend_override_invalid", "backend_override: expected none; it is not supported.", {
					tool_id: toolId,
					op: "select_backend",
				});
			call.progress?.start(1);
			try {
				const result = await gateway.modelRunner.run({
					toolId,
					args: isObject(args.args) ? args.args : {},
					...readCallOptions(call),
					...(typeof args.timeout_ms === "number" && { timeoutMs: args.timeout_ms }),
				});
				call.progress?.end("completed");
				return runOutput(result, args);
			} catch (thrown) {
				call.progress?.end("error");
				throw thrown;
			}
		},
	};
}

function runOutput(result: RunResult, args: JsonObject): Output {
	const { structured, tool, mcpResult, durationMs } = result;
	const around = { ...(args.include_backend === true && { backend: tool.backend }), durationMs };
	const extra = {
		...(args.include_tool === true && { tool: tool.definition }),
		...(args.include_mcp_result === true && mcpResult !== undefined && { mcpResult }),
	};
	// A value may hold the encoded bytes, which are useless as text.
	const { value, media: held } = splitBlocks(structured);
	const content = mcpResult?.structuredContent === undefined ? nameBlocks(result) : [];
	const isContent = content.length > 0;
	const beside = isContent ? content : selectBeside(result);
	const media = [...(isContent ? [] : held), ...beside.map(({ block }) => block)];
	const passed = new Set(media.filter(isLink).slice(0, MOST_LINKS));
	const shown = media.filter((block) => !isLink(block) || passed.has(block));
	const full = renderResult(value, mcpResult);
	const names = renderContent(beside.map(({ named }) => named));
	return {
		data: { structured: value ?? null, ...around },
		...(Object.keys(extra).length > 0 && { extra }),
		text: isContent || names === "" ? full : `${full}\n${names}`,
		bulk: {
			full,
			value: () => findWordedValue(full, value),
			...(names !== "" && { beside: names }),
			shrink: () => around,
			previewAs: "structured",
		},
		...(shown.length > 0 && { media: shown }),
	};
}

function isLink({ type }: JsonObject): boolean {
	return type === "resource_link";
}
