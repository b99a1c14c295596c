export { type Authenticate, bearerOf, bearerTokens, unauthorized } from "./http/bearer.ts";
export { createFront, type Front, type FrontOptions, type Route } from "./http/front.ts";
export { type HttpListener, type ListenOptions, listen, SHUTDOWN_MS } from "./http/listen.ts";
export { type EndpointOptions, McpEndpoint } from "./http/mcpEndpoint.ts";
export { LOOPBACK_NAMES, type OriginPolicy } from "./http/originGuard.ts";
export type { RateLimits } from "./http/rateLimit.ts";
export { HTTP_REFUSALS, HttpRefusal, type HttpRefusalCode } from "./http/refusal.ts";
export type { TlsFiles } from "./http/tlsFiles.ts";
