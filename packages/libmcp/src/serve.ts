// Entry point for a process that only serves one client on stdio: leaves out what would cost start time or memory.
export { BoundedQueue } from "./admission/boundedQueue.ts";
export { Deadline } from "./admission/deadline.ts";
export type { ProgressUpdate } from "./admission/progressPacer.ts";
export { RPC_CODES, RpcError } from "./fault/rpcError.ts";
export { OPS_TOOLS } from "./host/report/opsTools.ts";
export { watchParent, writeStderr } from "./process/ownProcess.ts";
export { EFFECT_META_KEY, type Effect } from "./replay/effect.ts";
export type { CallContext } from "./server/callContext.ts";
export type { Dispatcher, RpcContext, Session } from "./server/dispatcher.ts";
export { fitResult } from "./server/fitResult.ts";
export type { Answer, Outlet } from "./server/outlet.ts";
export { hasFeature, revisionFor } from "./server/revisions.ts";
export {
	type ErrorBody,
	errorBody,
	PROTOCOL_ERRORS,
	type ProtocolErrorCode,
	protocolError,
} from "./server/rpcErrors.ts";
export { RpcServer, type RpcServerOptions } from "./server/rpcServer.ts";
export { RpcSession, type RpcSessionOptions } from "./server/rpcSession.ts";
export type { ServerDescription, ServerInfo } from "./server/serverDescription.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./server/serveStdio.ts";
export { stdoutFlushed } from "./server/stdoutFlushed.ts";
export { guardStdout } from "./server/stdoutGuard.ts";
export { type Tool, type ToolContent, type ToolDefinition, ToolError, type ToolReply, tool } from "./server/tool.ts";
export { toolDispatcher } from "./server/toolDispatcher.ts";
export { WrittenResult } from "./server/writtenResult.ts";
export {
	type Envelope,
	INVALID_FRAME,
	type InvalidEnvelope,
	type NotificationEnvelope,
	type RequestEnvelope,
} from "./wire/envelope.ts";
export type { FrameEvent } from "./wire/frame.ts";
export { batchItems } from "./wire/members.ts";
export { NdjsonReader } from "./wire/ndjsonReader.ts";
export { looseRequestId, parseRequestId, type RequestId } from "./wire/requestId.ts";
export { scanEnvelope } from "./wire/scanEnvelope.ts";
