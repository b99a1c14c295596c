import { type StdioOptions, type StdioServer, serveStdio } from "libmcp";
import type { Transport } from "./transport.ts";

const UPDATED = "notifications/resources/updated";

/** One client on standard input and output: no configuration, no port. */
export function stdioTransport(streams?: StdioOptions["streams"]): Transport {
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
