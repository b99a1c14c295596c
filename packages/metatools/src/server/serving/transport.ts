import {
	type Dispatcher,
	type RpcContext,
	type ServerDescription,
	type StdioOptions,
	type StdioServer,
	serveStdio,
} from "libmcp";
import type { JsonObject } from "../../contract/json.ts";
import type { Viewer } from "../../run/access.ts";

/** The gateway as a transport sees it, independent of the protocol. */
export type GatewayServer = {
	readonly description: ServerDescription;
	/** Answers requests; a transport that authenticates passes `viewerOf`. */
	dispatcher(viewerOf?: (context: RpcContext) => Viewer): Dispatcher;
	/** Parses what clients send, with numbers that JavaScript would round kept exact. */
	parse(json: string): unknown;
	/** Called when clients are to be told that the tool list changed. Returns how to stop listening. */
	onListChanged(listener: () => void): () => void;
	/** Called with every other notification that clients may want. Returns how to stop listening. */
	onNews?(listener: (method: string, params?: JsonObject) => void): () => void;
	/** Told which resources the clients without a session that come through one door watch. */
	onWatch?(door: object, uris: ReadonlySet<string>): void;
	/** The part of the description that a caller is told. */
	toldTo?(description: ServerDescription, viewer: Viewer): ServerDescription;
};

/** A transport's own status, shown in health. */
export type TransportInfo = {
	readonly name: string;
	/** Where clients reach it, once it serves. */
	readonly address?: string;
	/** How many clients it keeps a session for, where it keeps any. */
	readonly sessions?: number;
	/** Printed on stderr at start, for a transport that only old clients need. */
	readonly deprecated?: string;
};

/** How clients connect. Implement these four members to bring another protocol. */
export type Transport = {
	readonly name: string;
	info(): TransportInfo;
	/** Resolves when serving is over: the client left, the signal was aborted, or `close` was called. */
	serve(server: GatewayServer, signal: AbortSignal): Promise<void>;
	close(): Promise<void>;
};

const UPDATED = "notifications/resources/updated";

/** One client on standard input and output: no configuration, no port. */
export function createStdioTransport(streams?: StdioOptions["streams"]): Transport {
	let running: StdioServer | undefined;
	const door = {};
	let watches = false;
	return {
		name: "stdio",
		info: () => ({ name: "stdio" }),
		async serve(server, signal) {
			const tools = server.description.capabilities.tools;
			const listChanged = typeof tools === "object" && tools !== null && "listChanged" in tools;
			const stdio = serveStdio({
				dispatcher: server.dispatcher(),
				description: server.description,
				parse: server.parse,
				listChanged,
				onWatch: (uris) => {
					watches = uris.size > 0;
					server.onWatch?.(door, uris);
				},
				...(streams !== undefined && { streams }),
			});
			running = stdio;
			const stopListening = server.onListChanged(() => stdio.notify("notifications/tools/list_changed"));
			// A client with a handshake is told of resources by its session.
			const stopNews = server.onNews?.((method, params) => {
				if (method !== UPDATED || watches) stdio.notify(method, params);
			});
			const stop = () => void stdio.close();
			signal.addEventListener("abort", stop, { once: true });
			if (signal.aborted) stop();
			await stdio.closed;
			stopListening();
			stopNews?.();
			server.onWatch?.(door, new Set());
			signal.removeEventListener("abort", stop);
		},
		close: async () => running?.close(),
	};
}
