import { EFFECT_META_KEY } from "libmcp/serve";
import { SCHEMA_MAJOR, SCHEMA_VERSION, TOOLING_VERSION } from "../contract/version.ts";
import { TOOL_NAMES, type ToolName, toolOf } from "../registry/registry.ts";
import { output } from "../registry/schemas.ts";

/** The tool list in the SDK transport's form. */
export function toolDefinitions(): Record<string, unknown>[] {
	return TOOL_NAMES.map((name) => {
		const { aliasOf, effect, result, optional, inside } = toolOf(name);
		return {
			...describe(name),
			outputSchema: output({ ...result, ...inside }, optional),
			_meta: {
				schemaVersion: SCHEMA_VERSION,
				toolingVersion: TOOLING_VERSION,
				[EFFECT_META_KEY]: effect,
				...(aliasOf !== undefined && { deprecated: true, aliasOf }),
			},
		};
	});
}

/** The tool list in the legacy transport's form: with versions beside the name, the schema's as an integer. */
export function legacyDefinitions(): Record<string, unknown>[] {
	return TOOL_NAMES.map((name) => {
		const { aliasOf } = toolOf(name);
		return {
			...describe(name),
			schemaVersion: SCHEMA_MAJOR,
			toolingVersion: TOOLING_VERSION,
			...(aliasOf !== undefined && { _meta: { deprecated: true, aliasOf } }),
		};
	});
}

function describe(name: ToolName): Record<string, unknown> {
	const { title, description, inputSchema, readOnly, destructive, effect } = toolOf(name);
	return {
		name,
		title,
		description,
		inputSchema,
		annotations: {
			readOnlyHint: readOnly,
			...(!readOnly && { destructiveHint: destructive, idempotentHint: effect.recovery.kind === "replay_safe" }),
		},
	};
}
