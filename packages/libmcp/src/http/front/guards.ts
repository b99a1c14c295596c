import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { makeRoom } from "../../admission/boundedQueue.ts";
import type { Principal } from "../../server/protocol/dispatcher.ts";
import { HttpRefusal } from "./refusal.ts";

/** Identifies the caller, or throws an `HttpRefusal`. Returns undefined if no credentials are required. */
export type Authenticate = (request: IncomingMessage) => Principal | undefined | Promise<Principal | undefined>;

/** Accepts fixed tokens, each for one principal. */
export function bearerTokens(tokens: Readonly<Record<string, Principal>>): Authenticate {
	// All digests have the same length, so comparing them reveals nothing about the token, not even its length.
	const known = Object.entries(tokens).map(([token, principal]) => ({ digest: digest(token), principal }));
	return (request) => {
		const given = digest(readBearer(request));
		let found: Principal | undefined;
		for (const { digest: expected, principal } of known) if (timingSafeEqual(expected, given)) found = principal;
		if (found === undefined) throw refuseUnauthorized("the token is not known here", 'Bearer error="invalid_token"');
		return found;
	};
}

/** The token of the Authorization header; tokens anywhere else (query, cookie) are ignored. */
export function readBearer(request: IncomingMessage, challenge: string = "Bearer"): string {
	const { authorization = "" } = request.headers;
	const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
	if (token !== undefined) return token;
	// A missing token gets a challenge; a malformed one is a client error that a challenge would not fix.
	if (!/^Bearer\b/i.test(authorization)) throw refuseUnauthorized("authorization: expected a bearer token", challenge);
	throw new HttpRefusal("BAD_REQUEST", "authorization: expected one token after Bearer", {
		"www-authenticate": `${challenge}${challenge === "Bearer" ? " " : ", "}error="invalid_request"`,
	});
}

/** A 401 whose `WWW-Authenticate` header says how to authenticate. */
export function refuseUnauthorized(message: string, challenge: string): HttpRefusal {
	return new HttpRefusal("UNAUTHORIZED", message, { "www-authenticate": challenge });
}

function digest(token: string): Buffer {
	return createHash("sha256").update(token).digest();
}

export type OriginPolicy = {
	/** Host names this server accepts, without port; undefined accepts any name. */
	readonly hosts: readonly string[] | undefined;
	/** Web origins that may call, as `scheme://host[:port]`, in addition to pages on the allowed hosts. */
	readonly origins: readonly string[];
	/** Whether pages at any port of this machine may call, as a browser's MCP inspector does. Default: they may. */
	readonly localPages?: boolean;
};

/** Names that always mean this machine. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Defends against DNS rebinding: an attacker can point a host name at this machine, and its pages must not get in. */
export function checkOrigin(request: IncomingMessage, policy: OriginPolicy): void {
	const host = request.headers.host ?? "";
	if (namesTwoHosts(request)) throw new HttpRefusal("BAD_REQUEST", "host: expected one Host header, got several");
	if (policy.hosts !== undefined && !policy.hosts.includes(hostName(host))) {
		throw new HttpRefusal("FORBIDDEN_HOST", `host: ${JSON.stringify(host.slice(0, 80))} is not a name of this server`);
	}
	const { origin } = request.headers;
	if (origin !== undefined && !isAllowedOrigin(origin, policy) && !isOwnPage(origin, host)) {
		throw new HttpRefusal(
			"FORBIDDEN_ORIGIN",
			`origin: ${JSON.stringify(origin.slice(0, 80))} may not call this server`,
		);
	}
}

export function isAllowedOrigin(origin: string, policy: OriginPolicy): boolean {
	if (policy.origins.includes(origin)) return true;
	const name = webAddress(origin)?.hostname;
	if (name === undefined || (policy.localPages === false && LOOPBACK_NAMES.includes(name))) return false;
	return policy.hosts?.includes(name) === true;
}

/** A page that this server served may call it: where any host name is accepted, a token is required too. */
function isOwnPage(origin: string, host: string): boolean {
	return webAddress(origin)?.host === host.toLowerCase();
}

/** Undefined for the origins of pages that no web server sent, such as `null`. */
function webAddress(origin: string): URL | undefined {
	const address = URL.parse(origin) ?? undefined;
	return address?.protocol === "http:" || address?.protocol === "https:" ? address : undefined;
}

/** Node keeps the first Host header; a proxy may have used the second. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
	let hosts = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at];
		if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
	}
	return hosts > 1;
}

function hostName(host: string): string {
	return host.replace(/:\d+$/, "").toLowerCase();
}

export type RateLimits = {
	/** Requests per second that one client may make in the long run. */
	readonly perSecond: number;
	/** How many it may make at once after a pause. */
	readonly burst: number;
};

type Bucket = { tokens: number; at: number };

const MOST_CLIENTS = 10_000;

/** A token bucket per client. The least recently seen is dropped first; by then its bucket is full again. */
export class RateLimit {
	readonly #limits: RateLimits;
	readonly #buckets = new Map<string, Bucket>();
	readonly #now: () => number;

	constructor(limits: RateLimits, now: () => number = performance.now.bind(performance)) {
		this.#limits = limits;
		this.#now = now;
	}

	take(client: string): void {
		const { perSecond, burst } = this.#limits;
		const now = this.#now();
		const bucket = this.#buckets.get(client) ?? { tokens: burst, at: now };
		bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
		bucket.at = now;
		this.#buckets.delete(client);
		makeRoom(this.#buckets, MOST_CLIENTS);
		this.#buckets.set(client, bucket);
		if (bucket.tokens < 1) {
			const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
			const most = perSecond === 1 ? "1 request" : `${perSecond} requests`;
			throw new HttpRefusal("RATE_LIMITED", `at most ${most} a second`, { "retry-after": String(wait) });
		}
		bucket.tokens--;
	}
}
