import type { Route } from "libmcp/http";
import type { Config } from "../config/load.ts";
import type { Gateway } from "../server/gateway.ts";
import { createStdioTransport, type Transport } from "../server/serving/transport.ts";
import { openAuthorized } from "../upstream/login/upstreamProvider.ts";
import type { SiteOptions } from "./site.ts";

/** The configured transport; throws an Error that names the setting that prevents it. */
export async function chooseTransport(
	config: Config,
	gateway: Gateway,
	log: (line: string) => void,
): Promise<Transport> {
	const { settings } = config;
	if (settings.transport === "stdio") return createStdioTransport();
	let transport: Transport | undefined;
	// Loaded only for HTTP, so that a stdio server starts faster.
	const [{ followAuth }, { readTlsFiles }] = await Promise.all([
		import("../auth/readAuth.ts"),
		import("./checkServing.ts"),
	]);
	const rules = followAuth(() => gateway.sections.auth);
	const site: SiteOptions = {
		rules,
		host: settings.host,
		port: settings.port,
		...readTlsFiles(settings),
		guarded: [createMetricsRoute(gateway, () => transport?.info().sessions)],
		log,
	};
	if (settings.transport === "sse") {
		const { createSseTransport } = await import("./sse.ts");
		return createSseTransport(site);
	}
	const { createStreamableTransport } = await import("./streamable.ts");
	const { MountedUpstreams } = await import("../passthrough/mountedUpstreams.ts");
	const serving = {
		stateless: settings.stateless,
		jsonResponses: settings.jsonResponse,
		sessionIdleMs: settings.sessionTimeout,
	};
	const { openKeeping } = await import("./openKeeping.ts");
	const keeping = await openKeeping(config, log);
	transport = createStreamableTransport({
		...site,
		...serving,
		keeping,
		mounted: new MountedUpstreams(gateway, {
			open: openAuthorized(process.env),
			viewerOf: (principal) => rules().viewerOf?.(principal) ?? principal,
			...(keeping !== undefined && { keeping }),
			...serving,
		}),
	});
	return transport;
}

/** The gateway's figures for Prometheus, at `/metrics`. */
export function createMetricsRoute(gateway: Gateway, sessions: () => number | undefined = () => undefined): Route {
	return (request, response, path) => {
		if (request.method !== "GET" || path !== "/metrics") return false;
		response.writeHead(200, { "content-type": "text/plain; version=0.0.4" });
		const open = sessions();
		const gauge = open === undefined ? "" : `# TYPE metatools_http_sessions gauge\nmetatools_http_sessions ${open}\n`;
		response.end(`${gateway.metrics()}${gauge}`);
		return true;
	};
}
