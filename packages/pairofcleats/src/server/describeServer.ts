import type { ServerDescription } from "libmcp/serve";
import { measureCapabilities } from "../contract/capabilities.ts";
import type { McpTransport } from "../contract/environment.ts";
import { SCHEMA_VERSION, TOOLING_VERSION } from "../contract/version.ts";

/** What the server says of itself in the handshake and in the discovery answer. */
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
			"Search the repository with search; build its index first with build_index if there is none. show_file gives the text of a hit.",
	};
}
