export { BoundedQueue, type QueueOverload } from "./admission/boundedQueue.ts";
export { Deadline, type DeadlineKind, type DeadlineLimits } from "./admission/deadline.ts";
export { MAX_PROGRESS_PER_SECOND, ProgressPacer, type ProgressUpdate } from "./admission/progressPacer.ts";
export { fileName, stateFolder } from "./command/runtimeFolder.ts";
export { answerControl } from "./control/answerControl.ts";
export { askHost, type RunningHost, runningHosts } from "./control/controlClient.ts";
export type { ControlAnswer, ControlRequest } from "./control/controlProtocol.ts";
export { type ControlServer, serveControl } from "./control/controlServer.ts";
export { host } from "./control/host.ts";
export { type HostedTransport, hostedTransport } from "./control/hostedTransport.ts";
export type { Host, HostState } from "./control/hostHandle.ts";
export {
	createFault,
	FAULT_CLASSES,
	type Fault,
	type FaultClass,
	type FaultFields,
	isFault,
	RECOVERY_HINTS,
	RETRY_ADVICE,
	type RecoveryHint,
	type RetryAdvice,
} from "./fault/fault.ts";
export { FaultError } from "./fault/faultError.ts";
export { faultMaker } from "./fault/faultMaker.ts";
export { type FaultResponse, faultResponse } from "./fault/faultResponse.ts";
export { type ModelFailure, modelFailure } from "./fault/modelFailure.ts";
export { RPC_CODES } from "./fault/rpcCodes.ts";
export { isRpcError, RpcError } from "./fault/rpcError.ts";
export { toFault } from "./fault/toFault.ts";
export { extendHealth } from "./health/extendHealth.ts";
export { HealthBoard, type HealthSnapshot, type HealthState } from "./health/healthBoard.ts";
export { LIFECYCLE_STATES, type LifecycleState, ROLLOUT_STEPS, type RolloutStep } from "./health/lifecycle.ts";
export type { HostHealth } from "./host/report/hostHealth.ts";
export type { HostEvents } from "./host/report/hostRecord.ts";
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
export type { WorkerCommand } from "./host/worker/spawnWorker.ts";
export { isNoise, isTelling } from "./host/worker/tellingLine.ts";
export { type FieldAliases, normalizeFields } from "./normalize/fieldAliases.ts";
export { normalizeLocation } from "./normalize/fileUri.ts";
export { type IntegerRange, normalizeInteger } from "./normalize/integerValue.ts";
export { type MethodTokens, methodTokens } from "./normalize/methodToken.ts";
export {
	NORMALIZE_ERROR_CODES,
	type Normalized,
	type NormalizeError,
	type NormalizeErrorCode,
	normalizeMessage,
} from "./normalize/normalized.ts";
export { normalizePath, type PathOptions } from "./normalize/pathStyle.ts";
export { keepNurserySmall } from "./process/keepNurserySmall.ts";
export type {
	EndedProcess,
	KillFailure,
	KillFailureCode,
	KillOptions,
	KillResult,
	KillTarget,
} from "./process/killResult.ts";
export { killTree } from "./process/killTree.ts";
export type { Custody, CustodyOptions, Exit } from "./process/spawnCustody.ts";
export { spawnCustody } from "./process/spawnCustody.ts";
export { watchParent } from "./process/watchParent.ts";
export { jsonPorcelain } from "./render/jsonPorcelain.ts";
export { type Note, noteLines } from "./render/notes.ts";
export { type Cell, countText, fieldLines, tableLines } from "./render/patterns.ts";
export { plainText } from "./render/plainText.ts";
export { type PorcelainBound, porcelain } from "./render/porcelain.ts";
export { RENDER_MODES, type RenderMode, renderModeSchema, selectRenderMode } from "./render/renderMode.ts";
export { renderPath } from "./render/renderPath.ts";
export { truncateText } from "./render/truncate.ts";
export {
	type ExecutionKnowledge,
	type ProbeAnswer,
	type ReplayBudget,
	type ReplayContract,
	ReplayContracts,
} from "./replay/contract.ts";
export { type Decision, decide } from "./replay/decide.ts";
export {
	contractOf,
	EFFECT_META_KEY,
	type Effect,
	effectOfTool,
	type Journal,
	parseEffect,
	type Recovery,
} from "./replay/effect.ts";
export { isPointer, resolvePointer } from "./replay/jsonPointer.ts";
export { effectOfMethod } from "./replay/methodDefaults.ts";
export type { RolloutOutcome } from "./rollout/rolloutOutcome.ts";
export type { CallContext } from "./server/callContext.ts";
export type { Complete, Completions } from "./server/completion.ts";
export { fitAnswer, fitRequest } from "./server/fitQuestion.ts";
export type { ClientDescription, Dispatcher, Era, Principal, RpcContext, Session } from "./server/dispatcher.ts";
export { type McpServer, mcpServer, type ServerCapabilities, type ServerDefinition } from "./server/mcpServer.ts";
export type { Answer, Outlet } from "./server/outlet.ts";
export { type Prompt, type PromptDefinition, type PromptMessage, type PromptReply, prompt } from "./server/prompt.ts";
export { type LogLevel, META } from "./server/protocol.ts";
export type { Elicited, Root, Sampled, SamplingContent, SamplingRequest } from "./server/questions.ts";
export {
	type ListedResource,
	type Resource,
	type ResourceContents,
	type ResourceDefinition,
	type ResourceDescription,
	type ResourceReply,
	resource,
} from "./server/resource.ts";
export {
	HANDSHAKE_REVISIONS,
	hasFeature,
	LEGACY_REVISION,
	MODERN_REVISION,
	REVISIONS,
	type Revision,
	revisionFor,
} from "./server/revisions.ts";
export {
	type ErrorBody,
	errorBody,
	PROTOCOL_ERRORS,
	type ProtocolErrorCode,
	protocolError,
} from "./server/rpcErrors.ts";
export { RpcServer, type RpcServerOptions } from "./server/rpcServer.ts";
export { RpcSession, type RpcSessionOptions } from "./server/rpcSession.ts";
export type { Schema } from "./server/schema.ts";
export type { DescribeServer, ServerDescription, ServerInfo } from "./server/serverDescription.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./server/serveStdio.ts";
export { guardStdout } from "./server/stdoutGuard.ts";
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
} from "./server/tool.ts";
export { toolDispatcher } from "./server/toolDispatcher.ts";
export type { Variables } from "./server/uriTemplate.ts";
export { telemetryAttributes } from "./telemetry/attributes.ts";
export type { CallOutcome, MethodError } from "./telemetry/callOutcome.ts";
export { DeferredLog } from "./telemetry/deferredLog.ts";
export { JsonlLog, type JsonlLogOptions } from "./telemetry/jsonlLog.ts";
export type { LatencySummary } from "./telemetry/latencyHistogram.ts";
export type { CallCounts, MethodTelemetry } from "./telemetry/methodCounts.ts";
export { openTelemetrySink } from "./telemetry/openTelemetry.ts";
export { callLabel, type Postmortem, parseRecord, postmortem } from "./telemetry/postmortem.ts";
export { prometheusText } from "./telemetry/prometheus.ts";
export {
	type CallRecord,
	type LoggedRecord,
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
export { encodeFrame, type Framing, framePieces } from "./wire/encodeFrame.ts";
export type {
	Envelope,
	ErrorResponseEnvelope,
	ErrorSpans,
	InvalidEnvelope,
	NotificationEnvelope,
	ParamsSpans,
	RequestEnvelope,
	ResponseEnvelope,
	ResultSpans,
	Span,
} from "./wire/envelope.ts";
export { DEFAULT_MAX_FRAME_BYTES, type FrameEvent, type FrameLimits, type FrameReader } from "./wire/frame.ts";
export { INVALID_FRAME, type InvalidReason } from "./wire/invalidFrame.ts";
export { MAX_DEPTH } from "./wire/jsonSkip.ts";
export { NdjsonReader } from "./wire/ndjsonReader.ts";
export {
	isRequestId,
	looseRequestId,
	parseRequestId,
	type RequestId,
	requestId,
	sameRequestId,
} from "./wire/requestId.ts";
export { scanEnvelope } from "./wire/scanEnvelope.ts";
export { spliceId } from "./wire/spliceId.ts";
export { parseStrictJson, type StrictJson } from "./wire/strictJson.ts";
