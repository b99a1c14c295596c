import { EFFECT_META_KEY, type ServerDescription } from "libmcp/serve";
import { SCHEMA_MAJOR, SCHEMA_VERSION, TOOLING_VERSION } from "../contract/envelope.ts";
import { type McpTransport, measureCapabilities } from "../contract/environment.ts";
import { TOOL_NAMES, type ToolName, toolOf } from "../registry/registry.ts";
import { makeOutputSchema } from "../registry/schemas.ts";

/** The tool list in the SDK transport's form. */
export function listTools(): Record<string, unknown>[] {
	return TOOL_NAMES.map((name) => {
		const { aliasOf, effect, result, optional, inside } = toolOf(name);
		return {
			...describe(name),
			outputSchema: makeOutputSchema({ ...result, ...inside }, optional),
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
export function listLegacyTools(): Record<string, unknown>[] {
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

/** Server information for the handshake and the discovery response. */
export function describeServer(transport: McpTransport): ServerDescription {
	return {
		info: { name: "pairofcleats", title: "pairofcleats", version: TOOLING_VERSION },
		capabilities: {
			tools: { listChanged: false },
			experimental: {
				pairofcleats: {
					schemaVersion: SCHEMA_VERSION,
					toolingVersion: TOOLING_VERSION,
					transport,
					capabilities: measureCapabilities(),
				},
			},
		},
		instructions:
			"search finds code, prose and records by words, identifiers, phrases, expressions and filters; where it answers NO_INDEX, " +
			"call build_index first. A hit's path and lines are what show_file takes, or those of whole for all of a class; output " +
			"full has its source and facts. " +
			"triage_ingest takes in the report of a scanner, search with mode records lists its findings, triage_context_pack " +
			"gathers the code that bears on one, triage_decision records what to do.",
	};
}
