import type { RpcContext } from "libmcp";
import { failureText } from "libmcp/command";
import {
	createFront,
	type Front,
	type FrontOptions,
	type HttpEndpoint,
	type HttpListener,
	LOOPBACK_NAMES,
	listen,
	type Route,
	type TlsFiles,
} from "libmcp/http";
import type { SiteRules } from "../auth/readAuth.ts";
import { LOCAL_VIEWER, type Viewer } from "../run/access.ts";
import { OpenRequests } from "./openRequests.ts";

/** Where and for whom an HTTP transport serves. */
export type SiteOptions = SiteRules & {
	readonly host: string;
	readonly port: number;
	readonly tls?: TlsFiles;
	/** Called at every request, instead of the fixed rules; returns the same object until something changes. */
	readonly rules?: () => SiteRules;
	/** Paths behind the same checks as MCP. */
	readonly guarded?: readonly Route[];
	/** Whether pages at other ports of this machine are kept from this path. */
	readonly ownPagesOnly?: FrontOptions["ownPagesOnly"];
	/** Writes the refusal of a request for a path and returns true; otherwise it is a JSON-RPC error. */
	readonly refuse?: FrontOptions["refuse"];
	/** What `/readyz` names as begun and not finished, though requests are served. */
	readonly underWay?: () => readonly string[];
	/** What `/readyz` names as failed, though requests are served. */
	readonly failed?: () => readonly string[];
	readonly log?: (line: string) => void;
};

export type Site = {
	readonly listener: HttpListener;
	/** May be called more than once. */
	close(): Promise<void>;
	readonly closed: Promise<void>;
};

/** How soon streams learn of changed rules. */
const LOOK_MS = 250;

/** Starts the HTTP listener with its access checks and health routes. */
export async function openSite(
	options: SiteOptions,
	endpoint: (path: string) => HttpEndpoint | undefined,
	endpoints: () => Iterable<HttpEndpoint>,
): Promise<Site> {
	let rules = readRules(options);
	checkSite({ host: options.host, ...rules });
	const local = isLoopback(options.host);
	let ready = true;
	const requests = new OpenRequests();
	const log = options.log ?? (() => {});
	const frontFor = ({ allowedHosts, allowedOrigins = [], open, authenticate, rateLimits }: SiteRules): Front =>
		createFront({
			endpoint,
			// With authentication any host name is harmless, since DNS rebinding gains nothing without a token.
			origins: {
				hosts: local || allowedHosts !== undefined ? [...LOOPBACK_NAMES, ...(allowedHosts ?? [])] : undefined,
				origins: allowedOrigins,
			},
			open: [healthRoute(() => ready, options), ...new Set([...(options.open ?? []), ...(open ?? [])])],
			guarded: options.guarded ?? [],
			...(options.ownPagesOnly === undefined ? {} : { ownPagesOnly: options.ownPagesOnly }),
			authenticate: (request) => requests.admit(request, authenticate),
			...(rateLimits === undefined ? {} : { rateLimits }),
			...(options.refuse === undefined ? {} : { refuse: options.refuse }),
			onUnexpected: (error) => log(`http: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
		});
	let front = frontFor(rules);
	const renew = (): void => {
		const now = readRules(options);
		if (now === rules || !ready) return;
		rules = now;
		front = frontFor(rules);
		requests.endRefused(rules.authenticate).catch((thrown: unknown) => log(`http: ${failureText(thrown)}`));
	};
	// Whoever only listens sends no request at which changed rules would be noticed.
	const looking = setInterval(renew, LOOK_MS).unref();
	const door: Front = {
		handle: (request, response) => {
			renew();
			requests.add(request, response);
			front.handle(request, response);
		},
		refuseNew: () => front.refuseNew(),
	};
	const listener = await listen(door, {
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
			clearInterval(looking);
			return closed.promise;
		},
	};
}

/** Listening beyond loopback requires authentication; throws an Error with code `HOST_NEEDS_AUTH` otherwise. */
export function checkSite({ host, authenticate }: Pick<SiteOptions, "host" | "authenticate">): void {
	if (isLoopback(host) || authenticate !== undefined) return;
	throw new HostNeedsAuth(host);
}

class HostNeedsAuth extends Error {
	override readonly name = "HostNeedsAuth";
	readonly code = "HOST_NEEDS_AUTH";

	constructor(host: string) {
		super(`host: ${host} can be reached by others; configure auth or bind 127.0.0.1`);
	}
}

/** The caller of a request, as a viewer of the gateway. */
export function createViewerOf(options: SiteOptions): (context: Pick<RpcContext, "principal">) => Viewer {
	return ({ principal }) => {
		if (principal === undefined) return LOCAL_VIEWER;
		return readRules(options).viewerOf?.(principal) ?? { id: principal.id, scopes: principal.scopes };
	};
}

/** The rules as they are now. */
export function readRules(options: SiteOptions): SiteRules {
	return options.rules?.() ?? options;
}

/** Whether only programs on this machine can reach a server that listens there. A name such as 127.example leads anywhere. */
export function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){1,3}$/.test(host);
}

function healthRoute(ready: () => boolean, { underWay, failed }: Pick<SiteOptions, "underWay" | "failed">): Route {
	return (request, response, path) => {
		if (request.method !== "GET" || (path !== "/healthz" && path !== "/readyz")) return false;
		const up = path === "/healthz" || ready();
		response.writeHead(up ? 200 : 503, { "content-type": "application/json" });
		const told = path === "/readyz" ? { underWay: underWay?.() ?? [], failed: failed?.() ?? [] } : {};
		const named = Object.entries(told).filter(([, names]) => names.length > 0);
		response.end(JSON.stringify({ status: up ? "ok" : "stopping", ...Object.fromEntries(named) }));
		return true;
	};
}

/** Waits until the site is closed, by the signal or by anyone else. */
export async function waitUntilClosed(signal: AbortSignal, site: Site): Promise<void> {
	const stop = (): void => void site.close();
	signal.addEventListener("abort", stop, { once: true });
	if (signal.aborted) stop();
	await site.closed;
	signal.removeEventListener("abort", stop);
}
