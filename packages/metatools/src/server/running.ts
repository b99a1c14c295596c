import { type ChainStep, misnamedStep, runChain } from "../chain/chain.ts";
import { MAX_PARALLEL } from "../chain/mapStep.ts";
import { ToolError } from "../contract/errors.ts";
import { isObject, type JsonObject, shown } from "../contract/json.ts";
import type { RunResult } from "../run/runner.ts";
import { MOST_CHARS, shortError } from "./answer.ts";
import { invalidArguments } from "./arguments.ts";
import type { Gateway } from "./gateway.ts";
import type { Metatool, Output } from "./metatool.ts";
import { errorLine, valueText } from "./porcelain.ts";
import { ANYTHING, BACKEND, ERROR_OBJECT, input, list, OBJECT, object, output, TEXT } from "./schemas.ts";

const MAX_TIMEOUT_MS = 3_600_000;
const TIMEOUT = { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_MS } as const;
const MEDIA = new Set(["image", "audio", "resource", "resource_link"]);

export function runningMetatools(gateway: Gateway): readonly Metatool[] {
	return [runTool(gateway), runChainTool(gateway), readResult(gateway)];
}

function runTool(gateway: Gateway): Metatool {
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
		async handle(args, { viewer, signal, progress, ask, caller }) {
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
			progress?.start(1);
			try {
				const result = await gateway.runner.run({
					toolId,
					args: isObject(args.args) ? args.args : {},
					viewer,
					signal,
					...(typeof args.timeout_ms === "number" && { timeoutMs: args.timeout_ms }),
					...(progress !== undefined && { onProgress: progress.forward }),
					...(ask !== undefined && { ask }),
					...(caller !== undefined && { caller }),
				});
				progress?.end("completed");
				return runOutput(result, args);
			} catch (thrown) {
				progress?.end("error");
				throw thrown;
			}
		},
	};
}

function runOutput({ structured, tool, mcpResult, durationMs }: RunResult, args: JsonObject): Output {
	const around = {
		...(args.include_tool === true && { tool: tool.definition }),
		...(args.include_backend === true && { backend: tool.backend }),
		durationMs,
	};
	const media = mediaOf(mcpResult);
	// Where the value is the content itself, pictures and sounds stand beside it already; in it nobody could read them.
	const value = mcpResult?.structuredContent === undefined && media.length > 0 ? withoutBytes(structured) : structured;
	const full = valueText(value);
	return {
		data: {
			structured: value ?? null,
			...around,
			...(args.include_mcp_result === true && mcpResult !== undefined && { mcpResult }),
		},
		text: full,
		bulk: { full, shrink: (preview) => ({ structured: preview, ...around }) },
		...(media.length > 0 && { media }),
	};
}

function mediaOf(mcpResult: JsonObject | undefined): readonly JsonObject[] {
	const content = Array.isArray(mcpResult?.content) ? mcpResult.content.filter(isObject) : [];
	return content.filter((block) => MEDIA.has(String(block.type)));
}

/** A list of content blocks with the size of what is encoded in them instead of that. */
function withoutBytes(content: unknown): unknown {
	if (!Array.isArray(content)) return content;
	return content.map((block) => {
		if (!isObject(block)) return block;
		if (isObject(block.resource)) return { ...block, resource: sized(block.resource, "blob") };
		return sized(block, "data");
	});
}

function sized(holder: JsonObject, member: "data" | "blob"): JsonObject {
	const { [member]: encoded, ...rest } = holder;
	return typeof encoded === "string" ? { ...rest, bytes: Buffer.byteLength(encoded, "base64") } : holder;
}

function runChainTool(gateway: Gateway): Metatool {
	const step = object(
		{
			id: TEXT,
			tool_id: TEXT,
			args: OBJECT,
			use_previous: { type: "boolean" },
			map: object({ over: ANYTHING, parallel: { type: "integer", minimum: 1, maximum: MAX_PARALLEL } }, ["over"]),
		},
		["tool_id"],
	);
	return {
		name: "run_chain",
		title: "Run tools in a row",
		description:
			'Run tools in order, stopping at the first error. In args, {"$from": "steps/0/structured/id"} is a JSON Pointer into earlier results; map.over runs a step per item ({"$from": "item"}); use_previous fills args.previous.',
		inputSchema: input(
			{
				steps: { type: "array", minItems: 1, items: step },
				timeout_ms: TIMEOUT,
				include_backends: { type: "boolean" },
				include_tools: { type: "boolean" },
			},
			["steps"],
		),
		outputSchema: output(
			{
				results: list(
					object({ tool_id: TEXT, structured: ANYTHING, backend: BACKEND, tool: OBJECT, error: ERROR_OBJECT }, [
						"tool_id",
					]),
				),
				final: ANYTHING,
			},
			["results"],
		),
		recovery: "at_most_once",
		async handle(args, { viewer, signal, progress, ask, caller }) {
			const steps = (Array.isArray(args.steps) ? args.steps : []) as readonly ChainStep[];
			const most = gateway.settings.maxChainSteps;
			if (steps.length > most)
				throw new ToolError("validation_input", `steps: expected at most ${most}, got ${steps.length}`, {
					op: "validate_input",
					details: { field: "steps", max: most },
				});
			const misnamed = misnamedStep(steps);
			if (misnamed !== undefined) {
				const { field, expected, got } = misnamed;
				throw invalidArguments([`arguments/${field}: expected ${expected}, got ${shown(got)}`]);
			}
			progress?.start(steps.length);
			const chain = await runChain(steps, {
				runner: gateway.runner,
				viewer,
				signal,
				...(typeof args.timeout_ms === "number" && { timeoutMs: args.timeout_ms }),
				...(progress !== undefined && { onProgress: progress.forward }),
				...(ask !== undefined && { ask }),
				...(caller !== undefined && { caller }),
			});
			progress?.end(chain.error === undefined ? "completed" : "error");
			const results = chain.results.map(({ tool_id, structured, tool, error }) => ({
				tool_id,
				...(structured !== undefined && { structured }),
				...(args.include_backends !== false && tool !== undefined && { backend: tool.backend }),
				...(args.include_tools === true && tool !== undefined && { tool: tool.definition }),
				...(error !== undefined && { error }),
			}));
			const { final, error } = chain;
			const data = { results, ...(final !== undefined && { final }), ...(error !== undefined && { error }) };
			return {
				data,
				isError: error !== undefined,
				text: [
					...results.map(
						({ tool_id, structured, error }, index) =>
							`${index} ${tool_id}: ${error === undefined ? valueText(structured) : errorLine(error)}`,
					),
					...(error === undefined ? [] : [errorLine(error)]),
				].join("\n"),
				bulk: {
					full: JSON.stringify(data),
					shrink: (preview) => ({
						results: results.map(({ structured: _, error, ...kept }) => ({
							...kept,
							...(error !== undefined && { error: shortError(error) }),
						})),
						final: preview,
						...(error !== undefined && { error: shortError(error) }),
					}),
				},
			};
		},
	};
}

function readResult(gateway: Gateway): Metatool {
	return {
		name: "read_result",
		title: "Read more of a result",
		description: "Read on in a cut answer: handle and offset as its notice says.",
		inputSchema: input({ handle: TEXT, offset: { type: "integer", minimum: 0 } }, ["handle"]),
		outputSchema: output(
			{ text: TEXT, offset: { type: "integer" }, totalChars: { type: "integer" }, nextOffset: { type: "integer" } },
			["text", "offset", "totalChars"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer }) {
			const offset = typeof args.offset === "number" ? args.offset : 0;
			const maxChars = Math.min(
				typeof args.max_chars === "number" ? args.max_chars : gateway.settings.maxChars,
				MOST_CHARS,
			);
			// Room for the numbers around the page, and for what JSON makes of its quotes and line breaks.
			const page = gateway.results.read(
				String(args.handle),
				offset,
				Math.max(100, Math.floor(maxChars / 2) - 100),
				viewer,
			);
			const more =
				page.nextOffset === undefined
					? ""
					: `\n… ${page.totalChars - page.nextOffset} more characters from offset ${page.nextOffset}`;
			return { data: page, text: `${page.text}${more}` };
		},
	};
}
