import { type HttpEndpoint, McpEndpoint } from "libmcp/http";
import type { Transport } from "../contract/transport.ts";
import { served } from "./served.ts";
import { checkSite, openSite, type Site, type SiteOptions, viewerFor } from "./site.ts";

export type StreamableOptions = SiteOptions & {
	readonly stateless?: boolean;
	readonly jsonResponses?: boolean;
	readonly sessionIdleMs?: number;
	readonly maxSessions?: number;
	/** Other MCP servers at paths below `/mcp/`, such as one upstream each. */
	readonly mounted?: { at(path: string): HttpEndpoint | undefined; all(): Iterable<HttpEndpoint> };
};

export const MCP_PATH = "/mcp";

/** Streamable HTTP: revision 2025-11-25 with sessions and 2026-07-28 without, on one path. */
export function streamableTransport(options: StreamableOptions): Transport {
	checkSite(options);
	let site: Site | undefined;
	return {
		name: "streamable",
		info: () => ({
			name: "streamable",
			...(site === undefined ? {} : { address: `${site.listener.address}${MCP_PATH}` }),
		}),
		async serve(server, signal) {
			const endpoint = new McpEndpoint({
				dispatcher: server.dispatcher(viewerFor(options)),
				description: server.description,
				...(options.stateless === undefined ? {} : { stateless: options.stateless }),
				...(options.jsonResponses === undefined ? {} : { jsonResponses: options.jsonResponses }),
				...(options.sessionIdleMs === undefined ? {} : { sessionIdleMs: options.sessionIdleMs }),
				...(options.maxSessions === undefined ? {} : { maxSessions: options.maxSessions }),
			});
			const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
			const opened = await openSite(
				options,
				(path) => (path === MCP_PATH ? endpoint : options.mounted?.at(path)),
				() => [endpoint, ...(options.mounted?.all() ?? [])],
			);
			site = opened;
			options.log?.(`serving MCP at ${opened.listener.address}${MCP_PATH}`);
			await served(signal, opened);
			stopListening();
		},
		close: async () => site?.close(),
	};
}
