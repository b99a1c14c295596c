import { type StdioOptions, type StdioServer, serveStdio } from "libmcp";
import type { Transport } from "./transport.ts";

/** One client on standard input and output: no configuration, no port. */
export function stdioTransport(streams?: StdioOptions["streams"]): Transport {
	let running: StdioServer | undefined;
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
				...(streams !== undefined && { streams }),
			});
			running = stdio;
			const stopListening = server.onListChanged(() => stdio.notify("notifications/tools/list_changed"));
			const stop = () => void stdio.close();
			signal.addEventListener("abort", stop, { once: true });
			if (signal.aborted) stop();
			await stdio.closed;
			stopListening();
			signal.removeEventListener("abort", stop);
		},
		close: async () => running?.close(),
	};
}
