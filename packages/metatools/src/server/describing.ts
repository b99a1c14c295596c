import { countText } from "libmcp";
import { DETAIL_LEVELS, describe, MAX_EXAMPLES } from "../catalog/docs.ts";
import type { ToolDescription } from "../contract/results.ts";
import type { Gateway } from "./gateway.ts";
import type { Metatool } from "./metatool.ts";
import { fields, table } from "./porcelain.ts";
import { EXAMPLE, input, list, OBJECT, object, output, TEXT } from "./schemas.ts";

export function describingMetatools(gateway: Gateway): readonly Metatool[] {
	return [describeTool(gateway), listToolExamples(gateway)];
}

function describeTool(gateway: Gateway): Metatool {
	return {
		name: "describe_tool",
		title: "Describe a tool",
		description: "Show one tool: summary, schema, or full with examples.",
		inputSchema: input(
			{
				tool_id: TEXT,
				detail_level: { enum: DETAIL_LEVELS },
				examples_max: { type: "integer", minimum: 0, maximum: MAX_EXAMPLES },
			},
			["tool_id", "detail_level"],
		),
		outputSchema: output(
			{
				summary: TEXT,
				tool: OBJECT,
				schemaInfo: object({
					required: list(TEXT),
					defaults: OBJECT,
					types: { type: "object", additionalProperties: list(TEXT) },
				}),
				notes: TEXT,
				examples: list(EXAMPLE),
				externalRefs: list(TEXT),
				declaration: TEXT,
			},
			["summary"],
		),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const tool = await gateway.findTool(String(args.tool_id), viewer, signal);
			const level = DETAIL_LEVELS.find((known) => known === args.detail_level) ?? "summary";
			const described = describe(tool, level, typeof args.examples_max === "number" ? args.examples_max : MAX_EXAMPLES);
			const declaration = level === "full" ? gateway.declare(tool) : undefined;
			const data = { ...described, ...(declaration !== undefined && { declaration }) };
			return {
				data,
				text: descriptionText(tool.id, data),
				bulk: {
					full: JSON.stringify(data),
					shrink: () => ({ summary: described.summary }),
				},
			};
		},
	};
}

function listToolExamples(gateway: Gateway): Metatool {
	return {
		name: "list_tool_examples",
		title: "List a tool's examples",
		description: "Example arguments of one tool.",
		inputSchema: input({ tool_id: TEXT, max: { type: "integer", minimum: 1, maximum: MAX_EXAMPLES } }, ["tool_id"]),
		outputSchema: output({ examples: list(EXAMPLE) }, ["examples"]),
		recovery: "replay_safe",
		async handle(args, { viewer, signal }) {
			const tool = await gateway.findTool(String(args.tool_id), viewer, signal);
			const examples = tool.docs.examples.slice(0, typeof args.max === "number" ? args.max : MAX_EXAMPLES);
			return {
				data: { examples },
				text: table(
					`${countText(examples.length, "example")} of ${tool.id}`,
					["title", "args", "description"],
					examples.map((example) => [example.title, JSON.stringify(example.args), example.description]),
				),
			};
		},
	};
}

function descriptionText(id: string, described: ToolDescription & { readonly declaration?: string }): string {
	const { tool, notes, examples = [], externalRefs = [], declaration } = described;
	const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
	return fields(id, {
		description: typeof tool?.description === "string" ? tool.description : described.summary,
		input: json(tool?.inputSchema),
		output: json(tool?.outputSchema),
		notes,
		declaration,
		...Object.fromEntries(
			examples.map(({ title, args }, index) => [`example ${index + 1}`, `${title}: ${JSON.stringify(args)}`]),
		),
		...(externalRefs.length > 0 && { see: externalRefs.join(" ") }),
	});
}
