import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateLimits } from "libmcp/http";
import { type Authenticate, checkOrigin, type Front, HttpRefusal, type OriginPolicy, RateLimit } from "libmcp/http";
import { givenRequestId } from "../contract/envelope.ts";
import { toCleatsError } from "../contract/errors.ts";
import { type Exchange, readRefusedHeaders, readRefusedStatus, sendFailure, translateRefusal } from "./answers.ts";
import type { ApiMetrics } from "./metrics.ts";
import type { Routes } from "./routes.ts";

export type ApiFrontOptions = {
	readonly routes: Routes;
	readonly origins: OriginPolicy;
	readonly authenticate?: Authenticate;
	readonly rateLimits?: RateLimits;
	readonly metrics: ApiMetrics;
	readonly log: (line: string) => void;
};

/** The access checks in front of the routes; refusals are envelopes as well. */
export function makeApiFront(options: ApiFrontOptions): Front {
	const limit = options.rateLimits === undefined ? undefined : new RateLimit(options.rateLimits);
	let closing = false;

	const answer = async (exchange: Exchange): Promise<void> => {
		const { request, response, url } = exchange;
		checkOrigin(request, options.origins);
		if (request.headers.origin !== undefined && allowOrigin(request, response)) return;
		const methods = Object.hasOwn(options.routes, url.pathname) ? options.routes[url.pathname] : undefined;
		if (url.pathname !== OPEN_PATH) await admit(request);
		if (methods === undefined) throw new HttpRefusal("NOT_FOUND", `there is nothing at ${shown(url.pathname)}`);
		const handle = Object.hasOwn(methods, meant(request)) ? methods[meant(request)] : undefined;
		if (handle === undefined) {
			const allow = Object.keys(methods)
				.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
				.join(", ");
			throw new HttpRefusal("METHOD_NOT_ALLOWED", `expected ${allow}, got ${shown(request.method)}`, { allow });
		}
		await handle(exchange);
	};
	const admit = async (request: IncomingMessage): Promise<void> => {
		if (closing) throw new HttpRefusal("SHUTTING_DOWN", "the server is shutting down", { connection: "close" });
		// Counted before the token is checked, so that guessing tokens is slow.
		limit?.take(request.socket.remoteAddress ?? "");
		await options.authenticate?.(request);
	};
	return {
		handle(request, response) {
			const began = performance.now();
			const exchange = exchangeOf(request, response, began);
			response.on("error", () => {});
			response.once("close", () => {
				options.metrics.ended(routeOf(options.routes, exchange.url), response.statusCode, performance.now() - began);
			});
			answer(exchange).catch((thrown: unknown) => {
				const error = translateRefusal(thrown);
				if (error.code === "INTERNAL") {
					options.log(`requestId=${JSON.stringify(exchange.requestId)} ${JSON.stringify(traceOf(thrown))}`);
				}
				sendFailure(exchange, error, readRefusedStatus(thrown), readRefusedHeaders(thrown));
			});
		},
		refuse(request, response, refusal) {
			const exchange = exchangeOf(request, response, performance.now());
			sendFailure(exchange, translateRefusal(refusal), readRefusedStatus(refusal), readRefusedHeaders(refusal));
		},
		refuseNew() {
			closing = true;
		},
	};
}

/** HEAD, often used by health checks, is handled as GET; Node omits the body. */
function meant({ method = "" }: IncomingMessage): string {
	return method === "HEAD" ? "GET" : method;
}

/** Health checks work without a token. */
const OPEN_PATH = "/health";

function exchangeOf(request: IncomingMessage, response: ServerResponse, began: number): Exchange {
	const gone = new AbortController();
	response.once("close", () => {
		if (!response.writableFinished) gone.abort(new DOMException("the client went away", "AbortError"));
	});
	const requestId = givenRequestId(request.headers["x-request-id"]) ?? randomUUID();
	response.setHeader("x-request-id", requestId);
	response.setHeader("cache-control", "no-store");
	return { request, response, url: urlOf(request.url ?? "/"), requestId, signal: gone.signal, began };
}

/** A target such as `//x` must be read as a path, and an invalid one as an unknown path. */
function urlOf(target: string): URL {
	const text = `http://api${target.startsWith("/") ? "" : "/"}${target.replace(/^\/+/, "/")}`;
	return URL.canParse(text) ? new URL(text) : new URL("http://api/%00");
}

/** Sets the CORS headers for an allowed origin; returns true if the request was a preflight and has been answered. */
function allowOrigin(request: IncomingMessage, response: ServerResponse): boolean {
	response.setHeader("access-control-allow-origin", request.headers.origin ?? "");
	response.setHeader("access-control-expose-headers", "x-request-id, etag");
	response.setHeader("vary", "origin");
	if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
	response.writeHead(204, {
		"access-control-allow-methods": "GET, POST",
		"access-control-allow-headers": "content-type, authorization, x-request-id, if-none-match",
		"access-control-max-age": "600",
	});
	response.end();
	return true;
}

function routeOf(routes: Routes, { pathname }: URL): string {
	return Object.hasOwn(routes, pathname) ? pathname : "other";
}

function traceOf(thrown: unknown): string {
	return thrown instanceof Error ? (thrown.stack ?? thrown.message) : toCleatsError(thrown).message;
}

function shown(text: string | undefined): string {
	return JSON.stringify((text ?? "").slice(0, 80));
}
