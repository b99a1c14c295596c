import type { RpcContext } from "libmcp";
import { type EndpointOptions, type HttpEndpoint, McpEndpoint } from "libmcp/http";
import type { Viewer } from "../run/access.ts";
import type { GatewayServer, Transport } from "../server/serving/transport.ts";
import type { Keeping } from "./openKeeping.ts";
import {
	checkSite,
	createViewerOf,
	openSite,
	readRules,
	type Site,
	type SiteOptions,
	waitUntilClosed,
} from "./site.ts";

export type StreamableOptions = SiteOptions & {
	readonly stateless?: boolean;
	readonly jsonResponses?: boolean;
	readonly sessionIdleMs?: number;
	readonly maxSessions?: number;
	/** Keeps sessions beyond this process; closed when the transport is. */
	readonly keeping?: Keeping | undefined;
	/** Other MCP servers at paths below `/mcp/`, such as one upstream each. */
	readonly mounted?: Mounted;
};

type Mounted = {
	at(path: string): HttpEndpoint | undefined;
	all(): Iterable<HttpEndpoint>;
	readonly sessions: number;
};

export const MCP_PATH = "/mcp";

/** How the gateway's own endpoint keeps its sessions. */
export function ownKeeping(keeping: Keeping | undefined): Pick<EndpointOptions, "keeping"> {
	if (keeping === undefined) return {};
	const { store, fence, writer } = keeping;
	return { keeping: { store, fence, writer, scope: MCP_PATH, handlersTell: true } };
}

/** Streamable HTTP: revision 2025-11-25 with sessions and 2026-07-28 without, on one path. */
export function createStreamableTransport(options: StreamableOptions): Transport {
	checkSite({ host: options.host, ...readRules(options) });
	let site: Site | undefined;
	let endpoint: McpEndpoint | undefined;
	return {
		name: "streamable",
		info: () => ({
			name: "streamable",
			...(endpoint === undefined ? {} : { sessions: endpoint.sessions + (options.mounted?.sessions ?? 0) }),
			...(site === undefined ? {} : { address: `${site.listener.address}${MCP_PATH}` }),
		}),
		async serve(server, signal) {
			const viewerOf = createViewerOf(options);
			const own = new McpEndpoint({
				...endpointOf(server, viewerOf),
				...(options.stateless === undefined ? {} : { stateless: options.stateless }),
				...(options.jsonResponses === undefined ? {} : { jsonResponses: options.jsonResponses }),
				...(options.sessionIdleMs === undefined ? {} : { sessionIdleMs: options.sessionIdleMs }),
				...(options.maxSessions === undefined ? {} : { maxSessions: options.maxSessions }),
				...ownKeeping(options.keeping),
			});
			endpoint = own;
			const { fleet } = options.keeping ?? {};
			const served = fleet?.join(own) ?? own;
			const at = (path: string): HttpEndpoint | undefined => (path === MCP_PATH ? served : options.mounted?.at(path));
			const stopTelling = tellClients(server, own);
			const opened = await openSite(options, at, () => [served, ...(options.mounted?.all() ?? [])]);
			site = opened;
			fleet?.serve(at, () => own.sessions + (options.mounted?.sessions ?? 0));
			options.log?.(`serving MCP at ${opened.listener.address}${MCP_PATH}`);
			await waitUntilClosed(signal, opened);
			stopTelling();
			await options.keeping?.close();
		},
		close: async () => site?.close(),
	};
}

/** What an endpoint needs to serve the gateway to callers who are known by this. */
export function endpointOf(
	server: GatewayServer,
	viewerOf: (context: Pick<RpcContext, "principal">) => Viewer,
): Pick<EndpointOptions, "dispatcher" | "description" | "parse" | "onWatch" | "toldTo"> {
	const door = {};
	return {
		dispatcher: server.dispatcher(viewerOf),
		description: server.description,
		parse: server.parse,
		onWatch: (uris) => server.onWatch?.(door, uris),
		toldTo: (description, principal) =>
			server.toldTo?.(description, viewerOf(principal === undefined ? {} : { principal })) ?? description,
	};
}

/** Tells the clients of an endpoint what changes at the gateway. Returns how to stop. */
export function tellClients(server: GatewayServer, endpoint: McpEndpoint): () => void {
	const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
	const stopNews = server.onNews?.((method, params) => {
		// A client with a session is told of resources by that.
		if (method === "notifications/resources/updated") endpoint.notifyModern(method, params);
		else endpoint.notify(method, params);
	});
	return () => {
		stopListening();
		stopNews?.();
	};
}
