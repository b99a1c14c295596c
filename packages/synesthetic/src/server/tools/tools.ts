import { diffDocuments, PatchTooLarge } from "../../diff/diffDocuments.ts";
import { diffText } from "../../diff/diffText.ts";
import type { JsonValue } from "../../json/jsonValue.ts";
import { MAX_ANSWER_LENGTH, refuseUnsupported, type ToolResult, VALID } from "../../results.ts";
import { NO_DOUBT } from "../../validate/rules/doubts.ts";
import { EXTRA_TOOLS } from "./extraTools.ts";
import { OUTPUTS } from "./outputSchemas.ts";
import type { Tool, ToolName } from "./tool.ts";

const ANY = { description: "any JSON value" };

/** The seven tools of the contract. */
export const CONTRACT_TOOLS = {
	list_schemas: {
		judges: false,
		title: "List schemas",
		description: "Names, versions and paths of all schemas.",
		input: { type: "object", properties: {} },
		output: OUTPUTS.schemas,
		run: (_args, assets) => assets.listSchemas(),
	},
	get_schema: {
		judges: false,
		title: "Get a schema",
		description: "One schema by name, as it is on disk.",
		input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
		output: OUTPUTS.schema,
		run: ({ name }, assets) => assets.getSchema(name),
	},
	list_examples: {
		judges: false,
		title: "List examples",
		description: 'Examples of one component, or of every component with "all".',
		input: { type: "object", properties: { component: { type: "string", default: "all" } } },
		output: OUTPUTS.examples,
		run: ({ component }, assets) => assets.listExamples(component),
	},
	get_example: {
		judges: false,
		title: "Get an example",
		description: "One example by the path list_examples gives, the schema it is for, and whether it validates.",
		input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
		output: OUTPUTS.example,
		run: ({ path }, assets) => assets.getExample(path),
	},
	validate_asset: {
		judges: true,
		title: "Validate an asset",
		description:
			"Checks an asset against a schema (JSON Schema draft 2020-12). Errors carry a JSON Pointer into the asset; with detailed, also the keyword that failed.",
		input: {
			type: "object",
			properties: { asset: ANY, schema: { type: "string" }, detailed: { type: "boolean", default: false } },
			required: ["asset", "schema"],
		},
		output: OUTPUTS.verdict,
		run: ({ asset, schema, detailed }, assets) => assets.validateAsset(asset, schema, { detailed: detailed === true }),
		readText: (bytes, from, to, assets) => {
			const doubts = assets.readDoubts(bytes, from, to);
			return doubts === NO_DOUBT ? VALID : doubts;
		},
	},
	diff_assets: {
		judges: false,
		title: "Compare two assets",
		description: "The RFC 6902 patch (add, remove, replace) that turns base into new. Arrays are replaced whole.",
		input: { type: "object", properties: { base: ANY, new: ANY }, required: ["base", "new"] },
		output: OUTPUTS.patch,
		spelt: true,
		absentIsEmpty: true,
		run: ({ base = {}, new: next = {} }) => patchBetween(base, next),
		readText: (bytes, from, to) => diffText(bytes, from, to, { parsing: true, longest: MAX_ANSWER_LENGTH }),
	},
	populate_backend: {
		judges: false,
		title: "Send an asset to the backend",
		description:
			"Posts an asset to the configured backend, once. It is validated first unless validate_first is false; an invalid asset is not sent.",
		input: {
			type: "object",
			properties: { asset: ANY, validate_first: { type: "boolean", default: true }, schema: { type: "string" } },
			required: ["asset"],
		},
		output: OUTPUTS.populated,
		spelt: true,
		run: ({ asset, validate_first, schema }, assets) => assets.populateBackend(asset, validate_first, schema),
	},
} as const satisfies Partial<Record<ToolName, Tool>>;

function patchBetween(base: JsonValue, next: JsonValue): ToolResult {
	try {
		return { ok: true, patch: diffDocuments(base, next) };
	} catch (error) {
		if (error instanceof PatchTooLarge) return refuseUnsupported(`the patch is too large: ${error.message}`);
		throw error;
	}
}

// Typed so that the compiler rejects a tool without a recovery and a recovery without a tool.
const ALL: Readonly<Record<ToolName, Tool>> = { ...CONTRACT_TOOLS, ...EXTRA_TOOLS };

/** All tools by name, contract first. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(Object.entries(ALL));
