import { countText, fieldLines, porcelain } from "libmcp";
import { DETAIL_LEVELS, describeCatalogTool, MAX_EXAMPLES } from "../../catalog/docs.ts";
import { cutText, toPlainBlock } from "../../catalog/text.ts";
import type { CatalogTool } from "../../catalog/tool.ts";
import { isObject, type JsonObject } from "../../contract/json.ts";
import type { ToolDescription } from "../../contract/results.ts";
import { approveInstructions } from "../../quarantine/quarantine.ts";
import { throwIfRefused } from "../../run/access.ts";
import { renderTable, UNBOUNDED } from "../answers/porcelain.ts";
import type { GatewayParts } from "../gatewayParts.ts";
import type { Metatool, MetatoolCall } from "../metatool.ts";
import {
	createInputSchema,
	createListSchema,
	createObjectSchema,
	createOutputSchema,
	EXAMPLE,
	OBJECT,
	TEXT,
} from "./schemas.ts";

type Parts = Pick<GatewayParts, "catalog" | "declare" | "findTool" | "quarantine" | "verdict">;

export function createDescribingTools(gateway: Parts): readonly Metatool[] {
	return [describeTool(gateway), listToolExamples(gateway)];
}

function describeTool(gateway: Parts): Metatool {
	return {
		name: "describe_tool",
		title: "Describe a tool",
		description: "Show one tool: summary, schema, or full with examples.",
		inputSchema: createInputSchema(
			{
				tool_id: TEXT,
				detail_level: { enum: DETAIL_LEVELS },
				examples_max: { type: "integer", minimum: 0, maximum: MAX_EXAMPLES },
			},
			["tool_id", "detail_level"],
		),
		outputSchema: createOutputSchema(
			{
				summary: TEXT,
				tool: OBJECT,
				schemaInfo: createObjectSchema({
					required: createListSchema(TEXT),
					defaults: OBJECT,
					types: { type: "object", additionalProperties: createListSchema(TEXT) },
				}),
				notes: TEXT,
				instructions: TEXT,
				examples: createListSchema(EXAMPLE),
				externalRefs: createListSchema(TEXT),
				declaration: TEXT,
			},
			["summary"],
		),
		recovery: "replay_safe",
		async handle(args, call) {
			const tool = await describable(gateway, args, call);
			const level = DETAIL_LEVELS.find((known) => known === args.detail_level) ?? "summary";
			const described = describeCatalogTool(
				tool,
				level,
				typeof args.examples_max === "number" ? args.examples_max : MAX_EXAMPLES,
			);
			const declaration = level === "full" ? gateway.declare(tool) : undefined;
			const instructions = level === "full" ? readInstructions(gateway, tool) : undefined;
			const data = {
				...described,
				...(instructions !== undefined && { instructions }),
				...(declaration !== undefined && { declaration }),
			};
			const text = descriptionText(tool.id, data);
			return {
				data,
				text,
				bulk: { full: text, shrink: () => ({ summary: described.summary }) },
			};
		},
	};
}

function listToolExamples(gateway: Parts): Metatool {
	return {
		name: "list_tool_examples",
		title: "List a tool's examples",
		description: "Example arguments of one tool.",
		inputSchema: createInputSchema({ tool_id: TEXT, max: { type: "integer", minimum: 1, maximum: MAX_EXAMPLES } }, [
			"tool_id",
		]),
		outputSchema: createOutputSchema({ examples: createListSchema(EXAMPLE) }, ["examples"]),
		recovery: "replay_safe",
		async handle(args, call) {
			const tool = await describable(gateway, args, call);
			const examples = tool.docs.examples.slice(0, typeof args.max === "number" ? args.max : MAX_EXAMPLES);
			return {
				data: { examples },
				text: renderTable(
					`${countText(examples.length, "example")} of ${tool.id}`,
					["title", "args", "description"],
					examples.map((example) => [example.title, JSON.stringify(example.args), example.description]),
				),
			};
		},
	};
}

async function describable(
	gateway: Parts,
	{ tool_id: id }: JsonObject,
	{ viewer, signal }: MetatoolCall,
): Promise<CatalogTool> {
	const tool = await gateway.findTool(String(id), viewer, signal);
	throwIfRefused(tool, gateway.verdict(tool, viewer));
	return tool;
}

type Described = ToolDescription & { readonly instructions?: string; readonly declaration?: string };

/** Shows the TypeScript declaration instead of the schemas if there is one: it says the same in half the words. */
function descriptionText(id: string, described: Described): string {
	const { summary, tool, notes, instructions, examples = [], externalRefs = [], declaration } = described;
	const { description, inputSchema, outputSchema } = tool ?? {};
	return porcelain(
		id,
		[
			...block("description", typeof description === "string" ? trimmedLines(description) : summary),
			...(declaration === undefined
				? fieldLines({ input: schemaText(inputSchema), output: schemaText(outputSchema) })
				: block("call", declaration)),
			...fieldLines({
				notes,
				...Object.fromEntries(
					examples.map(({ title, args }, index) => [`example ${index + 1}`, `${title}: ${JSON.stringify(args)}`]),
				),
				...(externalRefs.length > 0 && { see: externalRefs.join(" ") }),
			}),
			...(instructions === undefined ? [] : block("its server says", instructions)),
		],
		UNBOUNDED,
	);
}

/** Indents a value of several lines, so that none of them looks like a line of ours. */
function block(name: string, text: string): readonly string[] {
	const [first = "", ...more] = toPlainBlock(text.replaceAll("\t", " ")).split("\n");
	return more.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...more].map((line) => `  ${line}`)];
}

function trimmedLines(text: string): string {
	return text
		.split(/\r\n?|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "")
		.join("\n");
}

function schemaText(schema: unknown): string | undefined {
	if (!isObject(schema)) return undefined;
	const { $schema: _, ...told } = schema;
	return JSON.stringify(told);
}

const MOST_CHARS = 2_000;

/** What a tool's server says about the use of its tools, as far as it is approved, short enough to stand beside the tool. */
export function readInstructions(
	{ catalog, quarantine }: Pick<GatewayParts, "catalog" | "quarantine">,
	tool: CatalogTool,
): string | undefined {
	const text = approveInstructions({ catalog, quarantine }, tool, catalog.instructionsOf(tool.namespace));
	return text === undefined ? undefined : cutText(toPlainBlock(text), MOST_CHARS);
}
