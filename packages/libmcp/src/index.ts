export { BoundedQueue, type QueueOverload } from "./admission/boundedQueue.ts";
export { Deadline, type DeadlineKind, type DeadlineLimits } from "./admission/deadline.ts";
export { MAX_PROGRESS_PER_SECOND, ProgressPacer, type ProgressUpdate } from "./admission/progressPacer.ts";
export { findStateFolder as stateFolder, toFileName as fileName } from "./command/folders.ts";
export { askHost, listRunningHosts as runningHosts, type RunningHost } from "./control/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./control/controlProtocol.ts";
export { answerControl, type ControlServer, serveControl } from "./control/controlServer.ts";
export { host } from "./control/host.ts";
export { type HostedTransport, hostedTransport } from "./control/hostedTransport.ts";
export type { Host, HostState } from "./control/hostHandle.ts";
export {
	createFault,
	FAULT_CLASSES,
	type Fault,
	type FaultClass,
	FaultError,
	type FaultFields,
	isFault,
	RECOVERY_HINTS,
	RETRY_ADVICE,
	type RecoveryHint,
	type RetryAdvice,
} from "./fault/fault.ts";
export {
	createFaultResponse as faultResponse,
	describeForModel as modelFailure,
	type FaultResponse,
	type ModelFailure,
} from "./fault/faultResponse.ts";
export { createFaultMaker as faultMaker } from "./fault/faultTable.ts";
export { isRpcError, RPC_CODES, RpcError } from "./fault/rpcError.ts";
export { toFault } from "./fault/toFault.ts";
export type { HostHealth } from "./host/report/hostHealth.ts";
export { OPS_TOOLS } from "./host/report/opsTools.ts";
export {
	type ContractDeclarations,
	type Probe,
	parseContracts,
	readContractFile,
	type ToolContract,
} from "./host/settings/contractFile.ts";
export type {
	ClientStreams,
	GarbageLimits,
	HostOptions,
	MethodRecovery,
	PrivateWorker,
	RestartPolicy,
	RolloutPolicy,
} from "./host/settings/options.ts";
export type { HostEvents } from "./host/state/hostRecord.ts";
export type { WorkerCommand } from "./host/worker/spawnWorker.ts";
export { isNoise, isTelling } from "./host/worker/stderrTail.ts";
export { normalizeLocation, normalizePath, type PathOptions } from "./normalize/paths.ts";
export {
	createMethodTokens as methodTokens,
	describeNormalizeError as normalizeMessage,
	type FieldAliases,
	type IntegerRange,
	type MethodTokens,
	NORMALIZE_ERROR_CODES,
	type Normalized,
	type NormalizeError,
	type NormalizeErrorCode,
	normalizeFields,
	normalizeInteger,
} from "./normalize/values.ts";
export type {
	EndedProcess,
	KillFailure,
	KillFailureCode,
	KillOptions,
	KillResult,
	KillTarget,
} from "./process/killResult.ts";
export { killTree } from "./process/killTree.ts";
export { keepNurserySmall, watchParent } from "./process/ownProcess.ts";
export type { Custody, CustodyOptions, Exit } from "./process/spawnCustody.ts";
export { spawnCustody } from "./process/spawnCustody.ts";
export {
	type Cell,
	type Note,
	renderCount as countText,
	renderFields as fieldLines,
	renderNotes as noteLines,
	renderTable as tableLines,
} from "./render/lines.ts";
export {
	createRenderModeSchema as renderModeSchema,
	type PorcelainBound,
	RENDER_MODES,
	type RenderMode,
	renderJsonPorcelain as jsonPorcelain,
	renderPorcelain as porcelain,
	selectRenderMode,
} from "./render/porcelain.ts";
export { renderPath, toPlainText as plainText, truncateText } from "./render/terminalText.ts";
export {
	type Decision,
	decide,
	type ExecutionKnowledge,
	type ProbeAnswer,
	type ReplayBudget,
	type ReplayContract,
	ReplayContracts,
} from "./replay/decide.ts";
export {
	EFFECT_META_KEY,
	type Effect,
	findMethodEffect as effectOfMethod,
	type Journal,
	parseEffect,
	type Recovery,
	readToolEffect as effectOfTool,
	resolveContract as contractOf,
} from "./replay/effect.ts";
export { isPointer, resolvePointer } from "./replay/jsonPointer.ts";
export type { RolloutOutcome } from "./rollout/rollout.ts";
export type { CallContext } from "./server/offer/callContext.ts";
export type { Complete, Completions } from "./server/offer/completion.ts";
export { toolDispatcher } from "./server/offer/dispatchers.ts";
export { type McpServer, mcpServer, type ServerCapabilities, type ServerDefinition } from "./server/offer/mcpServer.ts";
export {
	type Prompt,
	type PromptDefinition,
	type PromptMessage,
	type PromptReply,
	prompt,
} from "./server/offer/prompt.ts";
export type { Elicited, Root, Sampled, SamplingContent, SamplingRequest } from "./server/offer/questions.ts";
export {
	type ListedResource,
	type Resource,
	type ResourceContents,
	type ResourceDefinition,
	type ResourceDescription,
	type ResourceReply,
	resource,
	type Variables,
} from "./server/offer/resource.ts";
export type { Schema } from "./server/offer/schema.ts";
export {
	type Icon,
	type Tool,
	type ToolAnnotations,
	type ToolContent,
	type ToolDefinition,
	type ToolDescription,
	ToolError,
	type ToolReply,
	tool,
} from "./server/offer/tool.ts";
export type {
	ClientDescription,
	Dispatcher,
	Era,
	Principal,
	RpcContext,
	Session,
} from "./server/protocol/dispatcher.ts";
export { fitAnswer, fitRequest } from "./server/protocol/fitQuestion.ts";
export type { Answer, Outlet } from "./server/protocol/outlet.ts";
export { type LogLevel, META } from "./server/protocol/protocol.ts";
export {
	hasFeature,
	LEGACY_REVISION,
	MODERN_REVISION,
	type Revision,
	revisionFor,
} from "./server/protocol/revisions.ts";
export {
	type ErrorBody,
	errorBody,
	PROTOCOL_ERRORS,
	type ProtocolErrorCode,
	protocolError,
} from "./server/protocol/rpcErrors.ts";
export type { DescribeServer, ServerDescription, ServerInfo } from "./server/protocol/serverDescription.ts";
export { RpcServer, type RpcServerOptions } from "./server/session/rpcServer.ts";
export { RpcSession, type RpcSessionOptions } from "./server/session/rpcSession.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./server/stdio/serveStdio.ts";
export { guardStdout } from "./server/stdio/stdioChannel.ts";
export {
	extendHealth,
	HealthBoard,
	type HealthSnapshot,
	type HealthState,
	LIFECYCLE_STATES,
	type LifecycleState,
	ROLLOUT_STEPS,
	type RolloutStep,
} from "./telemetry/healthBoard.ts";
export { DeferredLog, JsonlLog, type JsonlLogOptions } from "./telemetry/jsonlLog.ts";
export type { CallCounts, LatencySummary, MethodTelemetry } from "./telemetry/methodCounts.ts";
export {
	createOpenTelemetrySink as openTelemetrySink,
	toAttributes as telemetryAttributes,
} from "./telemetry/openTelemetry.ts";
export {
	labelCall as callLabel,
	type Postmortem,
	parseRecord,
	writePostmortem as postmortem,
} from "./telemetry/postmortem.ts";
export { writePrometheus as prometheusText } from "./telemetry/prometheus.ts";
export {
	type CallOutcome,
	type CallRecord,
	type LoggedRecord,
	type MethodError,
	TELEMETRY_EVENTS,
	type TelemetryRecord,
	type TelemetrySink,
} from "./telemetry/record.ts";
export {
	type CountedCall,
	TelemetryLedger,
	type TelemetrySnapshot,
	type TelemetryState,
} from "./telemetry/telemetryLedger.ts";
export { ContentLengthReader } from "./wire/contentLengthReader.ts";
export { encodeFrame, type Framing, spliceId, splitFrame as framePieces } from "./wire/encodeFrame.ts";
export {
	type Envelope,
	type ErrorResponseEnvelope,
	type ErrorSpans,
	INVALID_FRAME,
	type InvalidEnvelope,
	type InvalidReason,
	type NotificationEnvelope,
	type ParamsSpans,
	type RequestEnvelope,
	type ResponseEnvelope,
	type ResultSpans,
	type Span,
} from "./wire/envelope.ts";
export { DEFAULT_MAX_FRAME_BYTES, type FrameEvent, type FrameLimits, type FrameReader } from "./wire/frame.ts";
export { MAX_DEPTH } from "./wire/jsonSkip.ts";
export { NdjsonReader } from "./wire/ndjsonReader.ts";
export {
	isRequestId,
	parseRequestId,
	type RequestId,
	sameRequestId,
	toLooseId as looseRequestId,
	toRequestId as requestId,
} from "./wire/requestId.ts";
export { scanEnvelope } from "./wire/scanEnvelope.ts";
export { parseStrictJson, type StrictJson } from "./wire/strictJson.ts";
