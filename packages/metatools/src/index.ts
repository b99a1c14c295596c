export { createPolicyGate as policyGate } from "./auth/policy.ts";
export { followAuth, readAuth, type SiteRules } from "./auth/readAuth.ts";
export { Catalog } from "./catalog/catalog.ts";
export type { CatalogTool, NamespaceTools, ToolDefinition } from "./catalog/tool.ts";
export { type ChainOptions, type ChainResult, runChain } from "./chain/chain.ts";
export { type ChainStep, findStepProblems as stepProblems } from "./chain/steps.ts";
export { createDockerEngine as dockerEngine, type DockerEngineOptions } from "./code/child/dockerEngine.ts";
export {
	createSubprocessEngine as subprocessEngine,
	type SubprocessEngineOptions,
} from "./code/child/subprocessEngine.ts";
export { type DeclaredTool, writeToolDeclarations as toolDeclarations } from "./code/declare/toolDeclarations.ts";
export { type CodeLimits, defaultLimits } from "./code/engine.ts";
export {
	createRuntimeEngine as runtimeEngine,
	type RuntimeEngineOptions,
	type RuntimeSettings,
} from "./code/runtimeEngine.ts";
export { createWasmEngine as wasmEngine, type WasmEngineOptions } from "./code/wasm/wasmEngine.ts";
export * from "./config.ts";
export type { CodeEngine, CodeRequest, CodeResult, CodeToolCall, CodeTools } from "./contract/codeEngine.ts";
export { ERROR_CODES, type ErrorCode, type ErrorObject, ToolError } from "./contract/errors.ts";
export { parseExact } from "./contract/exactJson.ts";
export { isObject, type JsonObject } from "./contract/json.ts";
export { maskFormats } from "./contract/maskFormats.ts";
export type { Backend, ToolDescription, ToolExample, ToolSummary } from "./contract/results.ts";
export { MountedUpstreams, type MountOptions } from "./passthrough/mountedUpstreams.ts";
export {
	createPassthrough as passthrough,
	type Passthrough,
	type PassthroughOptions,
} from "./passthrough/passthrough.ts";
export {
	createQuarantine as quarantineGate,
	type Quarantine,
	type Quarantined,
	type QuarantineSettings,
	readQuarantine,
} from "./quarantine/quarantine.ts";
export type { Gate, Verdict, Viewer } from "./run/access.ts";
export { LOCAL_VIEWER } from "./run/access.ts";
export type { BackendCall, BackendResult, BackendRunner, LocalTool, ToolProgress } from "./run/backend.ts";
export { createRunner, type RunRequest, type RunResult, type ToolRunner } from "./run/runner.ts";
export type { Problem } from "./run/schema/problem.ts";
export { describeProblem as problemText } from "./run/schema/problemText.ts";
export { type Check, compileCheck as checkOf } from "./run/schema/schemaCheck.ts";
export { blend } from "./search/blend/blend.ts";
export type { Hit, SearchDocument, SearchIndex, SearchStrategy } from "./search/strategy.ts";
export { bm25 } from "./search/words/bm25.ts";
export type { Bm25Options } from "./search/words/bm25Options.ts";
export { lexical } from "./search/words/lexical.ts";
export { createGateway } from "./server/createGateway.ts";
export { Gateway } from "./server/gateway.ts";
export type { GatewayOptions } from "./server/gatewayParts.ts";
export { createDispatcher, listMetatools as listedTools } from "./server/serving/dispatcher.ts";
export { createGatewayServer as gatewayServer } from "./server/serving/gatewayServer.ts";
export {
	createStdioTransport as stdioTransport,
	type GatewayServer,
	type Transport,
	type TransportInfo,
} from "./server/serving/transport.ts";
export type { Skill } from "./toolsets/skill.ts";
export { checkServing, readTlsFiles as tlsOf } from "./transport/checkServing.ts";
export { type LocalDoor, openLocalDoor } from "./transport/localDoor.ts";
export { openKeeping } from "./transport/openKeeping.ts";
export { type ServedPassthrough, servePassthrough } from "./transport/servePassthrough.ts";
export { isLoopback, openSite, type Site, type SiteOptions } from "./transport/site.ts";
export { createSseTransport as sseTransport } from "./transport/sse.ts";
export {
	createStreamableTransport as streamableTransport,
	endpointOf,
	ownKeeping,
	type StreamableOptions,
	tellClients,
} from "./transport/streamable.ts";
export { chooseTransport as transportFor, createMetricsRoute as metricsRoute } from "./transport/transportFor.ts";
export { openAuthorized } from "./upstream/login/upstreamProvider.ts";
export type { UpstreamState } from "./upstream/state.ts";
export type { OpenTransport } from "./upstream/transport.ts";
export type { Upstream, UpstreamWatch } from "./upstream/upstream.ts";
