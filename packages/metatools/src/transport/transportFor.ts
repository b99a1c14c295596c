import type { Route } from "libmcp/http";
import type { Config } from "../config/load.ts";
import type { Gateway } from "../server/gateway.ts";
import { stdioTransport } from "../server/stdioTransport.ts";
import type { Transport } from "../server/transport.ts";
import { openAuthorized } from "../upstream/login/authorizedUpstreams.ts";
import type { SiteOptions } from "./site.ts";

/** The configured transport; throws an Error that names the setting that prevents it. */
export async function transportFor(config: Config, gateway: Gateway, log: (line: string) => void): Promise<Transport> {
	const { settings } = config;
	if (settings.transport === "stdio") return stdioTransport();
	let transport: Transport | undefined;
	// Loaded only for HTTP, so that a stdio server starts faster.
	const [{ followAuth }, { tlsOf }] = await Promise.all([import("../auth/readAuth.ts"), import("./tlsOf.ts")]);
	const rules = followAuth(() => gateway.sections.auth);
	const site: SiteOptions = {
		rules,
		host: settings.host,
		port: settings.port,
		...tlsOf(settings),
		guarded: [metricsRoute(gateway, () => transport?.info().sessions)],
		log,
	};
	if (settings.transport === "sse") {
		const { sseTransport } = await import("./sse.ts");
		return sseTransport(site);
	}
	const { streamableTransport } = await import("./streamable.ts");
	const { MountedUpstreams } = await import("../passthrough/mountedUpstreams.ts");
	const serving = {
		stateless: settings.stateless,
		jsonResponses: settings.jsonResponse,
		sessionIdleMs: settings.sessionTimeout,
	};
	const { openKeeping } = await import("./openKeeping.ts");
	const keeping = await openKeeping(settings);
	transport = streamableTransport({
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
export function metricsRoute(gateway: Gateway, sessions: () => number | undefined = () => undefined): Route {
	return (request, response, path) => {
		if (request.method !== "GET" || path !== "/metrics") return false;
		response.writeHead(200, { "content-type": "text/plain; version=0.0.4" });
		const open = sessions();
		const gauge = open === undefined ? "" : `# TYPE metatools_http_sessions gauge\nmetatools_http_sessions ${open}\n`;
		response.end(`${gateway.metrics()}${gauge}`);
		return true;
	};
}
