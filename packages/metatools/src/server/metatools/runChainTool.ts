import { type ChainResult, type ChainStepResult, runChain } from "../../chain/chain.ts";
import { type ChainStep, findStepProblems, STEP } from "../../chain/steps.ts";
import { ToolError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { shortenErrorOf } from "../../run/toolResult.ts";
import { BesideValues } from "../answers/besideValues.ts";
import { splitBlocks } from "../answers/blocks.ts";
import { describeEnding, renderErrorLine, renderValue } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import { type Metatool, type Output, readCallOptions } from "../metatool.ts";
import { createArgumentError } from "./arguments.ts";
import {
	ANYTHING,
	BACKEND,
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	ERROR_OBJECT,
	OBJECT,
	TEXT,
	TIMEOUT,
} from "./schemas.ts";

export function createRunChain(gateway: Pick<GatewayParts, "modelRunner" | "settings">): Metatool {
	return {
		name: "run_chain",
		title: "Run tools in a row",
		description:
			'Run tools in order, by default at most 8, stopping at the first error. In args, {"$from": "steps/0/structured/id"} is a JSON Pointer into earlier results; map.over runs a step per item ({"$from": "item"}); use_previous fills args.previous.',
		inputSchema: createInputSchema(
			{
				steps: { type: "array", minItems: 1, items: STEP },
				timeout_ms: TIMEOUT,
				include_backends: { type: "boolean" },
				include_tools: { type: "boolean" },
			},
			["steps"],
		),
		outputSchema: createOutputSchema(
			{
				results: createListSchema(
					createObjectSchema(
						{ tool_id: TEXT, structured: ANYTHING, backend: BACKEND, tool: OBJECT, error: ERROR_OBJECT },
						["tool_id"],
					),
				),
				final: ANYTHING,
			},
			["results"],
		),
		recovery: "at_most_once",
		async handle(args, call) {
			const steps = (Array.isArray(args.steps) ? args.steps : []) as readonly ChainStep[];
			const most = gateway.settings.maxChainSteps;
			if (steps.length > most)
				throw new ToolError("validation_input", `steps: expected at most ${most}, got ${steps.length}`, {
					op: "validate_input",
					details: { field: "steps", max: most },
				});
			const problems = findStepProblems(steps);
			if (problems.length > 0) throw createArgumentError(problems);
			call.progress?.start(steps.length);
			const beside = new BesideValues();
			const chain = await runChain(steps, {
				runner: beside.over(gateway.modelRunner),
				...readCallOptions(call),
				...(typeof args.timeout_ms === "number" && { timeoutMs: args.timeout_ms }),
			});
			call.progress?.end(chain.error === undefined ? "completed" : "error");
			return chainOutput(chain, args, beside);
		},
	};
}

function chainOutput(chain: ChainResult, args: JsonObject, beside: BesideValues): Output {
	const { error, results: ran } = chain;
	const { value, media: held } = splitBlocks(ran.map(({ structured, error }) => ({ structured, error })));
	const steps = value as readonly Pick<ChainStepResult, "structured" | "error">[];
	const values = steps.map(({ structured }) => structured);
	const results = ran.map(({ tool_id, tool }, index) => ({
		tool_id,
		...(values[index] !== undefined && { structured: values[index] }),
		...(args.include_backends !== false && tool !== undefined && { backend: tool.backend }),
		...(steps[index]?.error !== undefined && { error: steps[index].error }),
	}));
	// The value before a failure is that of the last step that has one.
	const final = values.at(error === undefined ? -1 : -2);
	const data = { results, ...(final !== undefined && { final }), ...(error !== undefined && { error }) };
	const lines = results.map(renderStep);
	if (error !== undefined && results.length === 0) lines.push(renderErrorLine(error));
	const media = [...held, ...beside.media];
	const full = lines.join("\n");
	const ending = describeEnding(lines);
	const isFinal = final !== undefined && describeEnding(error === undefined ? lines : lines.slice(0, -1)) !== undefined;
	return {
		data,
		...(args.include_tools === true && definitionsIn(data, ran)),
		isError: error !== undefined,
		text: beside.after(full),
		...(media.length > 0 && { media }),
		bulk: {
			full,
			beside: beside.text,
			...(ending !== undefined && { ending }),
			shrink: () =>
				shortenErrorOf({
					results: results.map(({ structured: _, ...step }) => shortenErrorOf(step)),
					...(isFinal && { final }),
					...(error !== undefined && { error }),
				}),
			...(!isFinal && final !== undefined && { previewAs: "final", part: renderValue(final) }),
		},
	};
}

function renderStep(
	{ tool_id, structured, error }: Pick<ChainStepResult, "tool_id" | "structured" | "error">,
	index: number,
): string {
	const line = `${index} ${tool_id}: ${error === undefined ? renderValue(structured) : renderErrorLine(error)}`;
	// Only a mapped step has values beside its error: those of the items that succeeded, if any did.
	return error === undefined || !Array.isArray(structured) || structured.every((item) => item === null)
		? line
		: `${line}\n  items that succeeded, null in place of others: ${renderValue(structured)}`;
}

/** The definitions of the tools, each in its result if all of them fit. */
function definitionsIn(
	data: JsonObject & { readonly results: readonly JsonObject[] },
	ran: ChainResult["results"],
): Pick<Output, "extra" | "dataWithExtra"> {
	const known = ran.flatMap(({ tool }) => (tool === undefined ? [] : [[tool.id, tool.definition] as const]));
	if (known.length === 0) return {};
	const results = data.results.map((result, index) => {
		const tool = ran[index]?.tool;
		return tool === undefined ? result : { ...result, tool: tool.definition };
	});
	return { extra: { tools: Object.fromEntries(known) }, dataWithExtra: { ...data, results } };
}
