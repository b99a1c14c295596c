import { parseExact } from "../contract/exactJson.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { Gateway } from "./gateway.ts";
import type { GatewayServer } from "./transport.ts";
import { VERSION } from "./version.ts";

const INSTRUCTIONS =
	"One door to the tools of many servers: search_tools finds a tool, describe_tool shows its arguments, run_tool runs it, run_chain runs several. Everywhere, render: json gives JSON text and max_chars a shorter answer.";

/** The gateway as transports see it. */
export function gatewayServer(gateway: Gateway): GatewayServer {
	const listChanged = gateway.settings.notifyListChanged;
	return {
		description: {
			info: { name: "metatools", title: "metatools", version: VERSION },
			capabilities: { tools: listChanged ? { listChanged: true } : {} },
			instructions: INSTRUCTIONS,
		},
		dispatcher: (viewerOf) => createDispatcher(gateway, viewerOf === undefined ? {} : { viewerOf }),
		parse: parseExact,
		onListChanged: (listener) => gateway.onListChanged(listener),
	};
}
