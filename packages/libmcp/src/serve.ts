// Entry point for a process that only serves one client on stdio: leaves out what would cost start time or memory.
export { BoundedQueue } from "./admission/boundedQueue.ts";
export { Deadline } from "./admission/deadline.ts";
export type { ProgressUpdate } from "./admission/progressPacer.ts";
export { RPC_CODES, RpcError } from "./fault/rpcError.ts";
export { OPS_TOOLS } from "./host/report/opsTools.ts";
export { watchParent, writeStderr } from "./process/ownProcess.ts";
export { EFFECT_META_KEY, type Effect } from "./replay/effect.ts";
export type { CallContext } from "./server/offer/callContext.ts";
export { toolDispatcher } from "./server/offer/dispatchers.ts";
export {
	type Tool,
	type ToolContent,
	type ToolDefinition,
	ToolError,
	type ToolReply,
	tool,
} from "./server/offer/tool.ts";
export type { Dispatcher, RpcContext, Session } from "./server/protocol/dispatcher.ts";
export { fitResult } from "./server/protocol/fitResult.ts";
export { type Answer, type Outlet, WrittenResult } from "./server/protocol/outlet.ts";
export { hasFeature, revisionFor } from "./server/protocol/revisions.ts";
export {
	type ErrorBody,
	errorBody,
	PROTOCOL_ERRORS,
	type ProtocolErrorCode,
	protocolError,
} from "./server/protocol/rpcErrors.ts";
export type { ServerDescription, ServerInfo } from "./server/protocol/serverDescription.ts";
export { RpcServer, type RpcServerOptions } from "./server/session/rpcServer.ts";
export { RpcSession, type RpcSessionOptions } from "./server/session/rpcSession.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./server/stdio/serveStdio.ts";
export { flushStdout as stdoutFlushed, guardStdout } from "./server/stdio/stdioChannel.ts";
export {
	type Envelope,
	INVALID_FRAME,
	type InvalidEnvelope,
	type NotificationEnvelope,
	type RequestEnvelope,
} from "./wire/envelope.ts";
export type { FrameEvent } from "./wire/frame.ts";
export { splitBatch as batchItems } from "./wire/members.ts";
export { NdjsonReader } from "./wire/ndjsonReader.ts";
export { parseRequestId, type RequestId, toLooseId as looseRequestId } from "./wire/requestId.ts";
export { scanEnvelope } from "./wire/scanEnvelope.ts";
