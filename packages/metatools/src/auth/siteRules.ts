import type { Principal } from "libmcp";
import type { Authenticate, RateLimits, Route } from "libmcp/http";
import type { Viewer } from "../run/access.ts";

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
