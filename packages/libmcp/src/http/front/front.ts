import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../../server/protocol/dispatcher.ts";
import { reportUnexpected } from "../../server/protocol/rpcErrors.ts";
import {
	type Authenticate,
	checkOrigin,
	isAllowedOrigin,
	type OriginPolicy,
	RateLimit,
	type RateLimits,
} from "./guards.ts";
import { HttpRefusal, refuse } from "./refusal.ts";

/** Answers a request and returns true, or returns false to leave it to others. */
export type Route = (request: IncomingMessage, response: ServerResponse, path: string) => boolean | Promise<boolean>;

export type FrontOptions = {
	/** The MCP server at this path, if any; looked up for every request, so that servers may come and go. */
	readonly endpoint: (path: string) => HttpEndpoint | undefined;
	readonly origins: OriginPolicy;
	/** Whether pages at other ports of this machine are kept from this path. Default: from none. */
	readonly ownPagesOnly?: (path: string) => boolean;
	readonly authenticate?: Authenticate;
	readonly rateLimits?: RateLimits;
	/** Public paths such as health and metadata. Origin and host are checked, tokens are not. */
	readonly open?: readonly Route[];
	/** Other paths behind the same checks as MCP itself. */
	readonly guarded?: readonly Route[];
	/** Writes the refusal of a request for this path and returns true; otherwise it is a JSON-RPC error. */
	readonly refuse?: (response: ServerResponse, refusal: HttpRefusal, path: string) => boolean;
	/** Called with any thrown value that is no HttpRefusal, or that caused one. By default, writes to stderr. */
	readonly onUnexpected?: (error: unknown) => void;
};

export type Front = {
	handle(request: IncomingMessage, response: ServerResponse): void;
	/** Writes the refusal of a request that cannot be parsed; by default a JSON-RPC error. */
	refuse?(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void;
	/** Refuses every further request, for a server that is shutting down. */
	refuseNew(): void;
};

/** Guards the servers against the network: checks origin and host, authenticates, limits rates and routes. */
export function createFront(options: FrontOptions): Front {
	const limit = options.rateLimits === undefined ? undefined : new RateLimit(options.rateLimits);
	const onUnexpected = options.onUnexpected ?? ((error) => reportUnexpected(error, "a request over HTTP"));
	const write = (request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void => {
		if (options.refuse?.(response, refusal, pathOf(request)) !== true) refuse(response, refusal);
	};
	let closing = false;

	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const path = pathOf(request);
		const origins = options.ownPagesOnly?.(path) === true ? { ...options.origins, localPages: false } : options.origins;
		checkOrigin(request, origins);
		allowOrigin(request, response, origins);
		if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined) {
			response.writeHead(204, { ...PREFLIGHT, "access-control-allow-headers": allowedHeaders(request) }).end();
			return;
		}
		if (await anyRoute(options.open, request, response, path)) return;
		if (closing) throw new HttpRefusal("SHUTTING_DOWN", "the server is shutting down", { connection: "close" });
		const principal = await admit(request);
		const endpoint = options.endpoint(path);
		if (endpoint !== undefined) await endpoint.handle(request, response, principal);
		else if (!(await anyRoute(options.guarded, request, response, path))) {
			throw new HttpRefusal("NOT_FOUND", `there is nothing at ${JSON.stringify(path.slice(0, 80))}`);
		}
	};
	const admit = async (request: IncomingMessage): Promise<Principal | undefined> => {
		const address = request.socket.remoteAddress ?? "";
		// Counted before the token is checked, so that guessing tokens is slow.
		limit?.take(address);
		return options.authenticate?.(request);
	};
	return {
		handle(request, response) {
			response.on("error", () => {});
			answer(request, response).catch((error: unknown) => {
				const isRefusal = error instanceof HttpRefusal;
				const problem = isRefusal ? error.cause : error;
				if (problem !== undefined) onUnexpected(problem);
				write(request, response, isRefusal ? error : new HttpRefusal("INTERNAL", "the server failed to answer"));
			});
		},
		refuseNew() {
			closing = true;
		},
	};
}

const PREFLIGHT = {
	"access-control-allow-methods": "GET, POST, DELETE",
	"access-control-max-age": "600",
};
const ALLOWED_HEADERS =
	"content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id";

/** The protocol's own headers, and those that repeat arguments under names the tools choose. */
function allowedHeaders({ headers }: IncomingMessage): string {
	const asked = String(headers["access-control-request-headers"] ?? "").split(",");
	const repeating = asked.map((name) => name.trim().toLowerCase()).filter((name) => /^mcp-param-[\w.-]+$/.test(name));
	return [ALLOWED_HEADERS, ...repeating].join(", ");
}

/** Without the slash that people type behind an address. */
export function pathOf(request: IncomingMessage): string {
	const [path = "/"] = (request.url ?? "/").split("?", 1);
	return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function allowOrigin(request: IncomingMessage, response: ServerResponse, policy: OriginPolicy): void {
	const { origin } = request.headers;
	if (origin === undefined || !isAllowedOrigin(origin, policy)) return;
	response.setHeader("access-control-allow-origin", origin);
	response.setHeader("access-control-expose-headers", "mcp-session-id, www-authenticate");
	response.setHeader("vary", "origin");
}

async function anyRoute(
	routes: readonly Route[] | undefined,
	request: IncomingMessage,
	response: ServerResponse,
	path: string,
): Promise<boolean> {
	for (const route of routes ?? []) if (await route(request, response, path)) return true;
	return false;
}

/** Something that `createFront` can route requests to. */
export type HttpEndpoint = {
	/** Answers one request; throws a refusal for a request it does not serve. */
	handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void>;
	/** Gives requests in flight `drainMs` to finish, then ends every session. */
	close(drainMs: number): Promise<void>;
};
