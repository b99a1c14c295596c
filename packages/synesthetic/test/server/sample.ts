import type { TestContext } from "node:test";
import { folder } from "../folder.ts";

/** A working directory with a submodule of two schemas and three examples. */
export function sampleFolder(context: TestContext): string {
	return folder(context, {
		"libs/synesthetic-schemas/jsonschema/synesthetic-asset.schema.json": {
			$schema: "https://json-schema.org/draft/2020-12/schema",
			$id: "https://example.test/1.2.3/synesthetic-asset.schema.json",
			type: "object",
			properties: { name: { type: "string" }, tone: { $ref: "tone.schema.json" } },
			required: ["name"],
			additionalProperties: false,
		},
		"libs/synesthetic-schemas/jsonschema/tone.schema.json": {
			$id: "https://example.test/1.2.3/tone.schema.json",
			type: "object",
			properties: { frequency: { type: "number", minimum: 0 } },
			required: ["frequency"],
		},
		"libs/synesthetic-schemas/examples/SynestheticAsset_Example1.json": {
			$schemaRef: "jsonschema/synesthetic-asset.schema.json",
			name: "one",
			tone: { frequency: 440.5 },
		},
		"libs/synesthetic-schemas/examples/SynestheticAsset_Example2.json": { name: "two" },
		"libs/synesthetic-schemas/examples/Tone_Example.json": { $schemaRef: "jsonschema/tone.schema.json", frequency: 1 },
	});
}

/** One call of every tool of the contract, with arguments that give it something to do. */
export const CALLS: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
	["list_schemas", {}],
	["get_schema", { name: "tone" }],
	["get_schema", { name: "none" }],
	["list_examples", { component: "all" }],
	["list_examples", { component: "Tone_Example" }],
	["get_example", { path: "libs/synesthetic-schemas/examples/SynestheticAsset_Example1.json" }],
	["get_example", { path: "../version.json" }],
	["validate_asset", { asset: { name: "x" }, schema: "nested-synesthetic-asset" }],
	["validate_asset", { asset: { name: 5, zz: 1, tone: {} }, schema: "synesthetic-asset" }],
	["validate_asset", { asset: {} }],
	["diff_assets", { base: { a: [1], b: 1 }, new: { a: [2], c: null } }],
	["populate_backend", { asset: { name: "x" } }],
];

const SCHEMAS = "libs/synesthetic-schemas/jsonschema";
const EXAMPLES = "libs/synesthetic-schemas/examples";

/** What each of `CALLS` is answered, over stdio and by the library. */
export const ANSWERS: readonly Record<string, unknown>[] = [
	{
		ok: true,
		schemas: [
			{ name: "synesthetic-asset", version: "1.2.3", path: `${SCHEMAS}/synesthetic-asset.schema.json` },
			{ name: "tone", version: "1.2.3", path: `${SCHEMAS}/tone.schema.json` },
		],
	},
	{
		ok: true,
		schema: {
			$id: "https://example.test/1.2.3/tone.schema.json",
			type: "object",
			properties: { frequency: { type: "number", minimum: 0 } },
			required: ["frequency"],
		},
		version: "1.2.3",
	},
	{ ok: false, reason: "not_found" },
	{
		ok: true,
		examples: [
			{ component: "SynestheticAsset_Example1", path: `${EXAMPLES}/SynestheticAsset_Example1.json` },
			{ component: "SynestheticAsset_Example2", path: `${EXAMPLES}/SynestheticAsset_Example2.json` },
			{ component: "Tone_Example", path: `${EXAMPLES}/Tone_Example.json` },
		],
	},
	{ ok: true, examples: [{ component: "Tone_Example", path: `${EXAMPLES}/Tone_Example.json` }] },
	{
		ok: true,
		example: { $schemaRef: "jsonschema/synesthetic-asset.schema.json", name: "one", tone: { frequency: 440.5 } },
		schema: "synesthetic-asset",
		validated: true,
	},
	{ ok: false, reason: "not_found" },
	{ ok: true },
	{
		ok: false,
		reason: "validation_failed",
		errors: [
			{ path: "", msg: 'unexpected property "zz"' },
			{ path: "/name", msg: "expected a string, got an integer" },
			{ path: "/tone", msg: 'expected property "frequency", which is missing' },
		],
	},
	{
		ok: false,
		reason: "validation_failed",
		errors: [{ path: "", msg: "schema: expected the name of a schema, got nothing" }],
	},
	{
		ok: true,
		patch: [
			{ op: "replace", path: "/a", value: [2] },
			{ op: "remove", path: "/b" },
			{ op: "add", path: "/c", value: null },
		],
	},
	{ ok: false, reason: "unsupported", detail: "backend disabled" },
];
