import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Principal } from "libmcp";
import { type Authenticate, bearerOf, bearerTokens, HttpRefusal, type RateLimits, type Route } from "libmcp/http";
import { type JsonObject, showSecret } from "../contract/json.ts";
import { LOCAL_VIEWER, type Viewer } from "../run/access.ts";
import { createOAuthResource, readOAuth } from "./oauthResource.ts";
import { readHosts, readNumber, readObject, readOrigins, readText, readTexts, refuseOthers } from "./section.ts";

/** Who may connect, from where, and how often. */
export type SiteRules = {
	readonly authenticate?: Authenticate;
	readonly rateLimits?: RateLimits;
	/** Host names under which clients reach the server, besides the loopback ones. */
	readonly allowedHosts?: readonly string[];
	readonly allowedOrigins?: readonly string[];
	/** Paths open to anybody, besides health. */
	readonly open?: readonly Route[];
	/** The toolset or scopes a caller is confined to. */
	readonly viewerOf?: (principal: Principal) => Viewer;
};

const KEYS = ["keys", "oauth", "allowed_hosts", "allowed_origins", "rate_limit"];
const DEFAULT_BURST_FACTOR = 2;

/** Reads the `auth` section: who may connect, from where, and how often. */
export function readAuth(section: JsonObject): SiteRules {
	refuseOthers(section, KEYS, "auth");
	const keys = readKeys(section.keys);
	const oauth = section.oauth === undefined ? undefined : createOAuthResource(readOAuth(section.oauth));
	const hosts = readHosts(section.allowed_hosts, "auth.allowed_hosts");
	const tokens = oauth === undefined ? undefined : ofOwnName(oauth.authenticate, keys?.names);
	const authenticate = combine(keys, tokens, oauth?.challenge);
	return {
		...(authenticate !== undefined && { authenticate }),
		...(oauth !== undefined && { open: [oauth.metadataRoute] }),
		...(hosts.length > 0 && { allowedHosts: hosts }),
		allowedOrigins: readOrigins(section.allowed_origins, "auth.allowed_origins"),
		...(section.rate_limit !== undefined && { rateLimits: readRateLimit(section.rate_limit) }),
		viewerOf: (principal) => viewerOf(principal, keys?.toolsets),
	};
}

type Keys = {
	readonly authenticate: Authenticate;
	readonly names: ReadonlySet<string>;
	readonly toolsets: ReadonlyMap<string, string>;
};

function readKeys(section: unknown): Keys | undefined {
	const entries = Object.entries(readObject(section, "auth.keys", showSecret));
	if (entries.length === 0) return undefined;
	const tokens: Record<string, Principal> = {};
	const toolsets = new Map<string, string>();
	for (const [name, given] of entries) {
		const place = `auth.keys.${name}`;
		if (name === LOCAL_VIEWER.id)
			throw new Error(`${place}: expected another name, because callers that need no key have this one`);
		const entry = typeof given === "string" ? { key: given } : readObject(given, place, showSecret);
		refuseOthers(entry, ["key", "scopes", "toolset"], place);
		const key = readText(entry.key, `${place}.key`, showSecret);
		if (key.length < 16) throw new Error(`${place}.key: expected at least 16 characters, got ${key.length}`);
		if (Object.hasOwn(tokens, key)) throw new Error(`${place}.key: expected a key of its own, got that of another`);
		tokens[key] = { id: name, scopes: readTexts(entry.scopes, `${place}.scopes`) };
		if (entry.toolset !== undefined) toolsets.set(name, readText(entry.toolset, `${place}.toolset`));
	}
	return { authenticate: bearerTokens(tokens), names: new Set(entries.map(([name]) => name)), toolsets };
}

/** Rules, sessions and results are bound to a caller's name: a token's subject must not impersonate anybody else. */
function ofOwnName(oauth: Authenticate, keyNames: ReadonlySet<string> | undefined): Authenticate {
	return async (request) => {
		const principal = await oauth(request);
		const whose = (namesake: string) =>
			new HttpRefusal("FORBIDDEN", `the token's subject has the name of ${namesake} here`);
		if (principal?.id === LOCAL_VIEWER.id) throw whose("callers that need no token");
		if (principal !== undefined && keyNames?.has(principal.id) === true) throw whose("a key");
		return principal;
	};
}

/** Tries keys first; any other credential may be a token of the authorization server. */
function combine(
	keys: Keys | undefined,
	oauth: Authenticate | undefined,
	challenge: string | undefined,
): Authenticate | undefined {
	if (keys === undefined) return oauth;
	if (oauth === undefined) return keys.authenticate;
	return async (request: IncomingMessage) => {
		bearerOf(request, challenge);
		try {
			return await keys.authenticate(request);
		} catch (thrown) {
			if (!(thrown instanceof HttpRefusal)) throw thrown;
			return oauth(request);
		}
	};
}

function viewerOf({ id, scopes }: Principal, toolsets: ReadonlyMap<string, string> | undefined): Viewer {
	const toolset = toolsets?.get(id);
	return { id, scopes, ...(toolset !== undefined && { toolset }) };
}

function readRateLimit(value: unknown): { perSecond: number; burst: number } {
	const section = readObject(value, "auth.rate_limit");
	refuseOthers(section, ["per_second", "burst"], "auth.rate_limit");
	const perSecond = readNumber(section.per_second, "auth.rate_limit.per_second");
	const burst =
		section.burst === undefined
			? Math.max(1, perSecond * DEFAULT_BURST_FACTOR)
			: readNumber(section.burst, "auth.rate_limit.burst");
	// A client that may never make one request at once would be refused for ever.
	if (burst < 1) throw new Error(`auth.rate_limit.burst: expected 1 or more, got ${burst}`);
	return { perSecond, burst };
}

/** The rules of an `auth` section that a reload can replace; returns the same object until the section changes. */
export function followAuth(section: () => JsonObject): () => SiteRules {
	let seen = section();
	let rules = readAuth(seen);
	return () => {
		const now = section();
		// Keeps rate-limit counts and fetched keys for as long as the rules stay the same.
		if (now !== seen && !isDeepStrictEqual(now, seen)) rules = readAuth(now);
		seen = now;
		return rules;
	};
}
