import { ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { RunResult } from "../run/runner.ts";
import { callOptions } from "./callOptions.ts";
import type { GatewayParts } from "./gatewayParts.ts";
import { contentText, mediaOf, parted, withSize } from "./media.ts";
import type { Metatool, Output } from "./metatool.ts";
import { MOST_LINKS } from "./resourceLinks.ts";
import { resultText, wordedValue } from "./resultText.ts";
import { ANYTHING, BACKEND, input, OBJECT, output, TEXT, TIMEOUT } from "./schemas.ts";

export function runToolMetatool(gateway: Pick<GatewayParts, "modelRunner">): Metatool {
	const flag = { type: "boolean" } as const;
	return {
		name: "run_tool",
		title: "Run a tool",
		description: "Run a tool with args that fit its schema.",
		inputSchema: input(
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
		outputSchema: output(
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
					...callOptions(call),
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

function runOutput({ structured, tool, mcpResult, durationMs, links = [] }: RunResult, args: JsonObject): Output {
	const around = {
		...(args.include_backend === true && { backend: tool.backend }),
		durationMs,
	};
	const extra = {
		...(args.include_tool === true && { tool: tool.definition }),
		...(args.include_mcp_result === true && mcpResult !== undefined && { mcpResult }),
	};
	const beside = mediaOf(Array.isArray(mcpResult?.content) ? mcpResult.content.filter(isObject) : []);
	// A structured value may repeat the encoded bytes, which are useless as text.
	const { value, media: held } = parted(structured);
	const passed = new Set(beside.filter(isLink).slice(0, MOST_LINKS));
	const media = beside.length > 0 ? beside.filter((block) => !isLink(block) || passed.has(block)) : held;
	const isContent = mcpResult?.structuredContent === undefined && beside.length > 0 && Array.isArray(value);
	const full = resultText(value, mcpResult);
	// The value tells of those that it repeats.
	const unnamed = held.length > 0 ? [] : beside.filter((block) => !isLink(block));
	const named = contentText([...unnamed.map(withSize), ...links]);
	return {
		data: { structured: value ?? null, ...around },
		...(Object.keys(extra).length > 0 && { extra }),
		text: isContent || named === "" ? full : `${full}\n${named}`,
		bulk: {
			full,
			value: () => wordedValue(full, value),
			...(named !== "" && { beside: named }),
			shrink: () => around,
			previewAs: "structured",
		},
		...(media.length > 0 && { media }),
	};
}

function isLink({ type }: JsonObject): boolean {
	return type === "resource_link";
}
