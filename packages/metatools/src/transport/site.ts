import type { Principal, RpcContext } from "libmcp";
import {
	type Authenticate,
	createFront,
	type Front,
	type HttpEndpoint,
	type HttpListener,
	LOOPBACK_NAMES,
	listen,
	type RateLimits,
	type Route,
	type TlsFiles,
} from "libmcp/http";
import { LOCAL_VIEWER, type Viewer } from "../run/access.ts";

/** Where and for whom an HTTP transport serves. */
export type SiteOptions = {
	readonly host: string;
	readonly port: number;
	readonly tls?: TlsFiles;
	readonly authenticate?: Authenticate;
	readonly rateLimits?: RateLimits;
	/** Names the server is reached by besides those of this machine's loopback. */
	readonly allowedHosts?: readonly string[];
	readonly allowedOrigins?: readonly string[];
	/** Paths open to anybody, besides health. */
	readonly open?: readonly Route[];
	/** Paths behind the same checks as MCP. */
	readonly guarded?: readonly Route[];
	/** The toolset or scopes a caller is confined to. */
	readonly viewerOf?: (principal: Principal) => Viewer;
	readonly log?: (line: string) => void;
};

export type Site = {
	readonly listener: HttpListener;
	/** Any number of calls close it once. */
	close(): Promise<void>;
	readonly closed: Promise<void>;
};

/** Opens the door: one listener, the checks in front of it, health beside it. */
export async function openSite(
	options: SiteOptions,
	endpoint: (path: string) => HttpEndpoint | undefined,
	endpoints: () => Iterable<HttpEndpoint>,
): Promise<Site> {
	checkSite(options);
	const local = isLoopback(options.host);
	let ready = true;
	const log = options.log ?? (() => {});
	const front: Front = createFront({
		endpoint,
		// A name somebody points at this machine is harmless where a token is asked for.
		origins: {
			hosts:
				local || options.allowedHosts !== undefined ? [...LOOPBACK_NAMES, ...(options.allowedHosts ?? [])] : undefined,
			origins: options.allowedOrigins ?? [],
		},
		open: [healthRoute(() => ready), ...(options.open ?? [])],
		guarded: options.guarded ?? [],
		...(options.authenticate === undefined ? {} : { authenticate: options.authenticate }),
		...(options.rateLimits === undefined ? {} : { rateLimits: options.rateLimits }),
		onUnexpected: (error) => log(`http: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
	});
	const listener = await listen(front, {
		host: options.host,
		port: options.port,
		...(options.tls === undefined ? {} : { tls: options.tls }),
		onTlsProblem: log,
	});
	const closed = Promise.withResolvers<void>();
	return {
		listener,
		closed: closed.promise,
		close: () => {
			if (ready) listener.close(endpoints()).then(closed.resolve, closed.reject);
			ready = false;
			return closed.promise;
		},
	};
}

/** A door to the network has a lock; throws an Error that names the setting. */
export function checkSite({ host, authenticate }: SiteOptions): void {
	if (isLoopback(host) || authenticate !== undefined) return;
	throw new Error(`host: ${host} can be reached by others; configure auth or bind 127.0.0.1`);
}

/** Who is asking, as the gateway sees it. */
export function viewerFor(options: SiteOptions): (context: RpcContext) => Viewer {
	return ({ principal }) => {
		if (principal === undefined) return LOCAL_VIEWER;
		return options.viewerOf?.(principal) ?? { id: principal.id, scopes: principal.scopes };
	};
}

function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || /^127\./.test(host);
}

function healthRoute(ready: () => boolean): Route {
	return (request, response, path) => {
		if (request.method !== "GET" || (path !== "/healthz" && path !== "/readyz")) return false;
		const up = path === "/healthz" || ready();
		response.writeHead(up ? 200 : 503, { "content-type": "application/json" });
		response.end(JSON.stringify({ status: up ? "ok" : "stopping" }));
		return true;
	};
}
