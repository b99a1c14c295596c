import { countText } from "libmcp";
import { summarizeTool } from "../../catalog/catalog.ts";
import { describeCatalogTool } from "../../catalog/docs.ts";
import type { CatalogTool } from "../../catalog/tool.ts";
import type { CodeEngine, CodeResult, CodeTools, ListedTool } from "../../contract/codeEngine.ts";
import { throwIfRefused } from "../../run/access.ts";
import type { ToolRunner } from "../../run/runner.ts";
import { BesideValues } from "../answers/besideValues.ts";
import { splitBlocks } from "../answers/blocks.ts";
import { describeEnding, renderErrorLine, renderValue } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool, MetatoolCall, Output } from "../metatool.ts";
import {
	ANYTHING,
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	ERROR_OBJECT,
	TEXT,
} from "./schemas.ts";

type Parts = Pick<GatewayParts, "catalog" | "findTool" | "modelRunner" | "search" | "settings" | "verdict">;

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 60_000;
const MAX_TOOL_CALLS = 1_000;
const SEARCH_LIMIT = 20;
const MOST_NAMED = 5;
/** Code is run to keep what its tools give from the model, so it shows less of that than a chain. */
const MOST_BESIDE = 3;

/** execute_code over whichever engine was plugged in. */
export function createExecuteCode(gateway: Parts, engine: CodeEngine): Metatool {
	const needs = engine.needs === undefined ? "" : ` It needs ${engine.needs}.`;
	return {
		name: "execute_code",
		title: "Execute code",
		description: `Run ${engine.languages.join(" or ")} calling tools: await tools.<namespace>.<name>(args), tools.call(id, args), tools.search(query). The last expression or return is the answer.${needs}`,
		inputSchema: createInputSchema(
			{
				// Free text, so that an unknown language gets a tool error; the examples appear if none is given.
				language: { type: "string", examples: engine.languages },
				code: TEXT,
				timeout_ms: { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_MS },
				max_tool_calls: { type: "integer", minimum: 1, maximum: MAX_TOOL_CALLS },
			},
			["language", "code"],
		),
		outputSchema: createOutputSchema(
			{
				value: ANYTHING,
				stdout: TEXT,
				stderr: TEXT,
				durationMs: { type: "number", minimum: 0 },
				toolCalls: createListSchema(
					createObjectSchema(
						{ tool_id: TEXT, durationMs: { type: "number" }, ok: { type: "boolean" }, error: ERROR_OBJECT },
						["tool_id", "durationMs", "ok"],
					),
				),
				warning: TEXT,
			},
			["value", "durationMs"],
		),
		recovery: "at_most_once",
		async handle(args, call) {
			call.progress?.start(1);
			const { maxToolCalls } = gateway.settings;
			const beside = new BesideValues(MOST_BESIDE);
			const result = await engine.execute(
				{
					language: String(args.language),
					code: String(args.code),
					timeoutMs: typeof args.timeout_ms === "number" ? args.timeout_ms : DEFAULT_TIMEOUT_MS,
					maxToolCalls:
						typeof args.max_tool_calls === "number" ? Math.min(args.max_tool_calls, maxToolCalls) : maxToolCalls,
					signal: call.signal,
				},
				codeTools(gateway, beside.over(gateway.modelRunner), call),
			);
			call.progress?.end(result.error === undefined ? "completed" : "error");
			return outputOf(result, beside);
		},
	};
}

function outputOf(result: CodeResult, beside: BesideValues): Output {
	const { value, media: held } = splitBlocks(result.value ?? null);
	const warning = [result.warning, ...unseenFailures(result)].filter((text) => text !== undefined).join("\n");
	const { toolCalls, ...rest } = result;
	const hasCalled = toolCalls.length > 0;
	const data = { ...rest, value, ...(warning !== "" && { warning }), ...(!hasCalled && { toolCalls }) };
	const printed = [result.stdout, result.stderr].filter((text) => text !== "").map((text) => text.trimEnd());
	const head = warning === "" ? printed : [warning, ...printed];
	// Code that prints its answer usually returns null, which is not worth showing.
	const given = value === null && printed.length > 0 ? "" : renderValue(value);
	const end = result.error === undefined ? given : renderErrorLine(result.error);
	const full = [...head, ...(end === "" ? [] : [end])].join("\n");
	const media = [...held, ...beside.media, ...(result.error === undefined ? [] : beside.failed)];
	const ending = describeEnding([...head, end]);
	return {
		data,
		// The list of very many calls must not push out the value.
		...(hasCalled && { extra: { toolCalls } }),
		isError: result.error !== undefined,
		text: beside.after(full),
		...(media.length > 0 && { media }),
		bulk: {
			full,
			beside: beside.text,
			...(ending !== undefined && ending !== "" && { ending }),
			shrink: () => ({ ...data, stdout: "", stderr: "" }),
			...(ending === undefined ? { previewAs: "value", part: end } : { previewAs: "stdout" }),
		},
	};
}

/** Warns of calls that were cut short when the code ended, and of failures that the code caught or ignored. */
function unseenFailures({ error, toolCalls }: CodeResult): string[] {
	if (error !== undefined) return [];
	const { left = [], failed = [] } = Object.groupBy(
		toolCalls.filter(({ ok }) => !ok),
		(made) => (made.error?.code === "cancelled" ? "left" : "failed"),
	);
	const named = [...new Set(left.map(({ tool_id }) => tool_id))].slice(0, MOST_NAMED).join(", ");
	const [first] = failed;
	return [
		...(left.length > 0
			? [`${countText(left.length, "call")} not awaited, so cut short when the code ended, done or not: ${named}`]
			: []),
		...(first?.error !== undefined
			? [
					`${countText(failed.length, "call")} failed, which the code caught or did not await: ${renderErrorLine(first.error)}`,
				]
			: []),
	];
}

function codeTools(
	gateway: Parts,
	runner: ToolRunner,
	{ viewer: caller, signal: ended, progress }: MetatoolCall,
): CodeTools {
	const viewer = { ...caller, search: "tools.search" };
	const mayRun = (tool: CatalogTool) => gateway.verdict(tool, viewer).kind === "allow";
	return {
		call: async (toolId, args, signal) => (await runner.run({ toolId, args, viewer, signal })).structured,
		search: async (query, limit = SEARCH_LIMIT) =>
			(await gateway.search.find([query], mayRun)).slice(0, limit).map(summarizeTool),
		async describe(toolId) {
			const tool = await gateway.findTool(toolId, viewer, ended);
			throwIfRefused(tool, gateway.verdict(tool, viewer));
			return describeCatalogTool(tool, "schema");
		},
		list: () => gateway.catalog.tools.filter(mayRun).map(callable),
		progress: (update) => progress?.forward(update),
	};
}

function callable(tool: CatalogTool): ListedTool {
	const { definition, name } = tool;
	return { ...summarizeTool(tool), ...(definition.name !== name && { declaredName: definition.name }) };
}
