import type { ServerDescription } from "libmcp";
import { parseExact } from "../../contract/exactJson.ts";
import { isObject } from "../../contract/json.ts";
import { offerDispatcher } from "../../offers/offerDispatcher.ts";
import { LOCAL_VIEWER, type Viewer } from "../../run/access.ts";
import type { Gateway } from "../gateway.ts";
import { VERSION } from "../version.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { GatewayServer } from "./transport.ts";

const INSTRUCTIONS =
	"One door to the tools of many servers: search_tools finds a tool, describe_tool shows its arguments, run_tool runs it, run_chain runs several. Everywhere, render: json gives JSON text and max_chars a shorter answer.";

/** The gateway as transports see it. */
export function createGatewayServer(gateway: Gateway): GatewayServer {
	const listChanged = gateway.settings.notifyListChanged;
	return {
		description: {
			info: { name: "metatools", title: "metatools", version: VERSION },
			capabilities: {
				tools: listChanged ? { listChanged: true } : {},
				prompts: listChanged ? { listChanged: true } : {},
				resources: { subscribe: true, ...(listChanged && { listChanged: true }) },
				completions: {},
			},
			instructions: INSTRUCTIONS,
		},
		dispatcher: (viewerOf = () => LOCAL_VIEWER) => {
			const offers = {
				upstreams: gateway.upstreams,
				quarantine: gateway.quarantine,
				watch: gateway.resourceWatch,
				seesAll: (namespace: string, viewer: Viewer) => gateway.seesAll(namespace, viewer),
				timeoutOf: (namespace: string | undefined) => gateway.timeoutOf(namespace),
				log: gateway.log,
			};
			const ofTools = createDispatcher(gateway, { viewerOf });
			return offerDispatcher(offers, (context) => gateway.confine(viewerOf(context)), ofTools);
		},
		parse: parseExact,
		onListChanged: (listener) => gateway.onListChanged(listener),
		onNews: (listener) => gateway.onNews(listener),
		onWatch: (door, uris) => gateway.resourceWatch.setOthers(door, uris),
		// Whoever watches without a session is not known when a resource changes, so it must see every server.
		toldTo: (description, viewer) =>
			gateway.upstreams.all.every(({ spec }) => gateway.seesAll(spec.namespace, gateway.confine(viewer)))
				? description
				: withoutSubscriptions(description),
	};
}

function withoutSubscriptions({ capabilities, ...others }: ServerDescription): ServerDescription {
	const { resources, ...rest } = capabilities;
	const { subscribe: _, ...kept } = isObject(resources) ? resources : {};
	return { ...others, capabilities: { ...rest, resources: kept } };
}
