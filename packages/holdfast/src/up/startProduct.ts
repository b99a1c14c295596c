import { type Authenticate, bearerTokens, McpEndpoint, type Route } from "libmcp/http";
import { type Config, createGateway, type Gateway, gatewayServer, openSite } from "metatools";

export type ProductOptions = {
	readonly config: Config;
	/** Asked of every caller; needed to listen anywhere but on this machine. */
	readonly token?: string;
	/** Further paths, such as the API and the console; some may be open to anybody. */
	readonly routes?: (gateway: Gateway) => { readonly open?: readonly Route[]; readonly guarded?: readonly Route[] };
	readonly log: (line: string) => void;
};

/** The running product: one address with the gateway and all that is mounted behind it. */
export type Product = {
	readonly gateway: Gateway;
	/** `http://host:port`; MCP is at `/mcp`. */
	readonly address: string;
	/** Lets calls in flight finish, then ends every server and its processes. */
	close(): Promise<void>;
};

const MCP_PATH = "/mcp";

export async function startProduct(options: ProductOptions): Promise<Product> {
	const { config, log } = options;
	const gateway = createGateway(config, { log });
	const server = gatewayServer(gateway);
	const endpoint = new McpEndpoint({ dispatcher: server.dispatcher(), description: server.description });
	const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
	const { host, port } = config.settings;
	const site = await openSite(
		{ host, port, log, ...lock(options.token), ...options.routes?.(gateway) },
		(path) => (path === MCP_PATH ? endpoint : undefined),
		() => [endpoint],
	);
	gateway.start();
	return {
		gateway,
		address: site.listener.address,
		close: async () => {
			stopListening();
			await site.close();
			await gateway.stop();
		},
	};
}

function lock(token: string | undefined): { authenticate?: Authenticate } {
	return token === undefined ? {} : { authenticate: bearerTokens({ [token]: { id: "owner", scopes: [] } }) };
}
