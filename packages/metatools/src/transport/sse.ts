import { SseEndpoint } from "libmcp/http";
import type { Transport } from "../server/serving/transport.ts";
import {
	checkSite,
	createViewerOf,
	openSite,
	readRules,
	type Site,
	type SiteOptions,
	waitUntilClosed,
} from "./site.ts";

const STREAM_PATH = "/sse";
const MESSAGES_PATH = "/messages";

/** The transport of revision 2024-11-05, for clients that know no other. */
export function createSseTransport(options: SiteOptions): Transport {
	checkSite({ host: options.host, ...readRules(options) });
	let site: Site | undefined;
	return {
		name: "sse",
		info: () => ({
			name: "sse",
			deprecated: "the sse transport is deprecated and will be removed; use --transport=streamable",
			...(site === undefined ? {} : { address: `${site.listener.address}${STREAM_PATH}` }),
		}),
		async serve(server, signal) {
			const endpoint = new SseEndpoint({
				dispatcher: server.dispatcher(createViewerOf(options)),
				description: server.description,
				parse: server.parse,
				messagesPath: MESSAGES_PATH,
			});
			const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
			const stopNews = server.onNews?.((method, params) => {
				// A client is told of resources by its session.
				if (method !== "notifications/resources/updated") endpoint.notify(method, params);
			});
			const opened = await openSite(
				options,
				(path) => (path === STREAM_PATH || path === MESSAGES_PATH ? endpoint : undefined),
				() => [endpoint],
			);
			site = opened;
			options.log?.(`serving MCP at ${opened.listener.address}${STREAM_PATH}`);
			await waitUntilClosed(signal, opened);
			stopListening();
			stopNews?.();
		},
		close: async () => site?.close(),
	};
}
