import type { Principal } from "libmcp";
import type { Authenticate, RateLimits, Route } from "libmcp/http";
import type { Viewer } from "../run/access.ts";

/** Who may connect, from where, and how often. */
export type SiteRules = {
	readonly authenticate?: Authenticate;
	readonly rateLimits?: RateLimits;
	/** Names the server is reached by besides those of this machine's loopback. */
	readonly allowedHosts?: readonly string[];
	readonly allowedOrigins?: readonly string[];
	/** Paths open to anybody, besides health. */
	readonly open?: readonly Route[];
	/** The toolset or scopes a caller is confined to. */
	readonly viewerOf?: (principal: Principal) => Viewer;
};
