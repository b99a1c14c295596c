export type { FleetMember } from "./fleet/fleetNode.ts";
export { type Fleet, type FleetOptions, openFleet } from "./fleet/openFleet.ts";
export { createFront, type Front, type FrontOptions, type HttpEndpoint, type Route } from "./http/front/front.ts";
export {
	type Authenticate,
	bearerTokens,
	checkOrigin,
	LOOPBACK_NAMES,
	type OriginPolicy,
	RateLimit,
	type RateLimits,
	readBearer as bearerOf,
	refuseUnauthorized as unauthorized,
} from "./http/front/guards.ts";
export { type HttpListener, type ListenOptions, listen, SHUTDOWN_MS } from "./http/front/listen.ts";
export { readBody } from "./http/front/readBody.ts";
export { HTTP_REFUSALS, HttpRefusal, type HttpRefusalCode } from "./http/front/refusal.ts";
export { readTls, type TlsContext, type TlsFiles } from "./http/front/tlsFiles.ts";
export { type EndpointOptions, McpEndpoint } from "./http/mcpEndpoint.ts";
export { modernHeaders } from "./http/modernHeaders.ts";
export { type ParamHeader, paramHeaderProblem, paramHeaders, paramHeaderValues } from "./http/paramHeaders.ts";
export type { KeepingOptions } from "./http/sessionKeeper.ts";
export { SseEndpoint, type SseEndpointOptions } from "./http/sseEndpoint.ts";
