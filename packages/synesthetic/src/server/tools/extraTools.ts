import type { Assets } from "../../assets.ts";
import { applyPatch, PatchProblem } from "../../diff/applyPatch.ts";
import type { JsonValue } from "../../json/jsonValue.ts";
import { refuseInvalid, type ToolResult } from "../../results.ts";
import { bundleSchema } from "../../schema/bundleSchema.ts";
import { checkCompatibility } from "../../schema/checkCompatibility.ts";
import { lintSchema } from "../../schema/lintSchema.ts";
import { readSchemaArgument, type SchemaSubject } from "../../schema/schemaArgument.ts";
import { suggestFix } from "../../schema/suggestFix.ts";
import { SchemaProblem } from "../../validate/schemaRegistry.ts";
import { OUTPUTS } from "./outputSchemas.ts";
import type { Tool, ToolName } from "./tool.ts";

const ANY = { description: "any JSON value" };
const SCHEMA = { description: "a schema, or the name of one", type: ["string", "object", "boolean"] };

/** Tools beyond the contract. */
export const EXTRA_TOOLS = {
	apply_patch: {
		judges: false,
		title: "Apply a patch",
		description: "Applies an RFC 6902 patch, all of it or nothing, and returns the new document.",
		input: {
			type: "object",
			properties: { document: ANY, patch: { type: "array", items: { type: "object" } } },
			required: ["document", "patch"],
		},
		output: OUTPUTS.document,
		spelt: true,
		run: ({ document, patch }) => patched(document, patch),
	},
	check_compatibility: {
		judges: false,
		title: "Compare two versions of a schema",
		description:
			"BACKWARD: the new schema accepts all data of the old. FORWARD: the old accepts all data of the new. FULL: both. With the reasons against.",
		input: {
			type: "object",
			properties: { old_schema: SCHEMA, new_schema: SCHEMA },
			required: ["old_schema", "new_schema"],
		},
		output: OUTPUTS.compatibility,
		run: ({ old_schema, new_schema }, assets) =>
			withSchema(old_schema, "old_schema", assets, (before) => {
				before.validator.assertUsable(before.document);
				return withSchema(new_schema, "new_schema", assets, (after) => {
					after.validator.assertUsable(after.document);
					return { ok: true, ...checkCompatibility(before, after) };
				});
			}),
	},
	bundle_schema: {
		judges: false,
		title: "Bundle a schema",
		description: "The schema with everything it refers to embedded, so that it can be used alone.",
		input: { type: "object", properties: { schema: SCHEMA }, required: ["schema"] },
		output: OUTPUTS.bundle,
		spelt: true,
		run: ({ schema }, assets) =>
			withSchema(schema, "schema", assets, (subject) => ({ ok: true, schema: bundleSchema(subject) })),
	},
	lint_schema: {
		judges: false,
		title: "Check a schema itself",
		description:
			"Checks a schema against draft 2020-12, its references, and for definitions and keywords that do nothing.",
		input: { type: "object", properties: { schema: SCHEMA }, required: ["schema"] },
		output: OUTPUTS.findings,
		run: ({ schema }, assets) =>
			withSchema(schema, "schema", assets, (subject) => {
				const findings = lintSchema(subject);
				return { ok: true, valid: !findings.some(({ severity }) => severity === "error"), findings };
			}),
	},
	suggest_fix: {
		judges: false,
		title: "Suggest repairs",
		description:
			"A patch of lossless repairs for an invalid asset: defaults for missing properties, scalars of the wrong type, enum values in another case.",
		input: { type: "object", properties: { asset: ANY, schema: { type: "string" } }, required: ["asset", "schema"] },
		output: OUTPUTS.fix,
		spelt: true,
		run: ({ asset, schema }, assets) => fixed(asset, schema, assets),
	},
} as const satisfies Partial<Record<ToolName, Tool>>;

function patched(document: JsonValue | undefined, patch: JsonValue | undefined): ToolResult {
	if (document === undefined) return refuseInvalid("document: expected a JSON value, got nothing");
	try {
		return { ok: true, document: applyPatch(document, patch ?? null) };
	} catch (error) {
		if (!(error instanceof PatchProblem)) throw error;
		const path = error.index < 0 ? "" : `/${error.index}`;
		return { ok: false, reason: "validation_failed", errors: [{ path, msg: error.message }] };
	}
}

function fixed(asset: JsonValue | undefined, schema: JsonValue | undefined, assets: Assets): ToolResult {
	const verdict = assets.validateAsset(asset, schema);
	if (verdict.ok) return { ok: true, patch: [], fixed: true, remaining: [] };
	if (asset === undefined || typeof schema !== "string") return verdict;
	try {
		const { patch, remaining } = suggestFix(assets, asset, schema);
		return { ok: true, patch, fixed: remaining.length === 0, remaining };
	} catch (error) {
		// The verdict already reports the problem.
		if (error instanceof SchemaProblem) return verdict;
		throw error;
	}
}

function withSchema(
	value: JsonValue | undefined,
	name: string,
	assets: Assets,
	use: (subject: SchemaSubject) => ToolResult,
): ToolResult {
	const subject = readSchemaArgument(value, name, assets);
	if (typeof subject === "string") return refuseInvalid(subject);
	try {
		return use(subject);
	} catch (error) {
		if (error instanceof SchemaProblem) return refuseInvalid(`${name}: ${error.message}`);
		if (error instanceof RangeError) return refuseInvalid("a schema is nested too deeply to be read");
		throw error;
	}
}
