import { type Authenticate, bearerTokens, McpEndpoint } from "libmcp/http";
import {
	type Config,
	createGateway,
	followConfig,
	type Gateway,
	gatewayServer,
	MountedUpstreams,
	metricsRoute,
	openAuthorized,
	openSite,
} from "metatools";
import { apiRoute } from "../api/apiRoute.ts";
import { IndexJob } from "../api/indexJob.ts";
import { version } from "../cli/version.ts";
import { consoleRoute } from "../console/consoleRoute.ts";
import { Recorder } from "../record/recorder.ts";
import type { OtlpExporter } from "../telemetry/otlpExporter.ts";
import { otlpSettings } from "../telemetry/otlpSettings.ts";

export type ProductOptions = {
	/** Reads the configuration; called again when one of its files has changed. */
	readonly configure: () => Config;
	/** Asked of every caller; needed to listen anywhere but on this machine. */
	readonly token?: string;
	readonly log: (line: string) => void;
};

/** The running product: one address with the gateway and all that is mounted behind it. */
export type Product = {
	readonly gateway: Gateway;
	readonly recorder: Recorder;
	/** `http://host:port`; MCP is at `/mcp` and each server alone at `/mcp/<namespace>`, the API under `/api`, the console at `/`. */
	readonly address: string;
	/** Lets calls in flight finish, then ends every server and its processes. */
	close(): Promise<void>;
};

const MCP_PATH = "/mcp";

export async function startProduct(options: ProductOptions): Promise<Product> {
	const { configure, log } = options;
	const config = configure();
	const recorder = new Recorder();
	const exporter = await openExporter(log);
	const gateway = createGateway(config, { log, ...recorder.gatewayOptions(exporter) });
	recorder.attach(gateway);
	const indexJob = new IndexJob(gateway);
	const closing = new AbortController();
	const api = apiRoute({ gateway, recorder, indexJob, version: version(), closing: closing.signal, log });
	const server = gatewayServer(gateway);
	const endpoint = new McpEndpoint({ dispatcher: server.dispatcher(), description: server.description });
	const stopListening = server.onListChanged(() => endpoint.notify("notifications/tools/list_changed"));
	const mounted = new MountedUpstreams(gateway, { open: openAuthorized(process.env) });
	const { host, port } = config.settings;
	const site = await openSite(
		{ host, port, log, ...lock(options.token), open: [consoleRoute()], guarded: [api, metricsRoute(gateway)] },
		(path) => (path === MCP_PATH ? endpoint : mounted.at(path)),
		() => [endpoint, ...mounted.all()],
	);
	gateway.start();
	const stopFollowing = followConfig(config, { load: configure, apply: (changed) => gateway.apply(changed), log });
	return {
		gateway,
		recorder,
		address: site.listener.address,
		close: async () => {
			stopListening();
			stopFollowing();
			closing.abort();
			indexJob.stop();
			await site.close();
			await gateway.stop();
			await exporter?.close();
		},
	};
}

/** Only where OpenTelemetry's variables name a collector. */
async function openExporter(log: (line: string) => void): Promise<OtlpExporter | undefined> {
	const settings = otlpSettings();
	if (settings === undefined) return undefined;
	const { OtlpExporter } = await import("../telemetry/otlpExporter.ts");
	return new OtlpExporter(settings, { log });
}

function lock(token: string | undefined): { authenticate?: Authenticate } {
	// What no client can send would lock everybody out, and nothing at all would let everybody in.
	if (token !== undefined && !/^[\w.~+/-]+=*$/.test(token))
		throw new Error("token: expected letters, digits and any of - . _ ~ + / without blanks");
	return token === undefined ? {} : { authenticate: bearerTokens({ [token]: { id: "owner", scopes: [] } }) };
}
