import type { ServerDescription } from "libmcp/serve";
import { measureCapabilities } from "../contract/capabilities.ts";
import type { McpTransport } from "../contract/environment.ts";
import { SCHEMA_VERSION, TOOLING_VERSION } from "../contract/version.ts";

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
