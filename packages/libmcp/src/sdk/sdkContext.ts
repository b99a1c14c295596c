import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { ProgressPacer } from "../admission/progressPacer.ts";
import type { ClientDescription, Era, RpcContext, Session } from "../server/protocol/dispatcher.ts";
import { fitClientCapabilities, fitNotification } from "../server/protocol/fitQuestion.ts";
import { isLogLevel, isRecord, META } from "../server/protocol/protocol.ts";
import { LEGACY_REVISION, MODERN_REVISION } from "../server/protocol/revisions.ts";
import { protocolError } from "../server/protocol/rpcErrors.ts";
import { encodeProgress, isWanted } from "../server/session/call.ts";
import { toRequestId } from "../wire/requestId.ts";

/** Adapts the SDK's request context to a dispatcher's. Call `finish` before the answer is sent. */
export function sdkContext(
	server: Server,
	era: Era,
	context: ServerContext,
	params: Record<string, unknown>,
	session: Session,
	/** The progress token as JSON text, and where progress goes. */
	token: string | undefined,
	write: (text: string) => void,
): RpcContext & { finish(): void } {
	const { id, signal, envelope } = context.mcpReq;
	const claim: Record<string, unknown> = { ...(isRecord(params._meta) ? params._meta : {}), ...envelope };
	const level = claim[META.logLevel];
	const logLevel = isLogLevel(level) ? level : undefined;
	const client = clientOf(server, era, claim);
	const revision = client.protocolVersion;
	const pacer =
		token === undefined ? undefined : new ProgressPacer((update) => write(encodeProgress(token, update, revision)));
	// Progress that is still waiting is dropped with the request.
	if (pacer !== undefined) signal.addEventListener("abort", () => pacer.finish(), { once: true });
	return {
		era,
		id: toRequestId(id),
		signal,
		client,
		...(era === "legacy" && { session }),
		wantsProgress: token !== undefined,
		progress: (update) => pacer?.update(update),
		notify: (method, news) => {
			if (era === "modern" && !isWanted(method, news, logLevel)) return;
			const fit = fitNotification(revision, method, news);
			if (fit !== undefined) context.mcpReq.notify({ method, ...(news && { params: fit }) }).catch(() => {});
		},
		request: async (method, question) => {
			if (era === "modern")
				throw protocolError("MISSING_CAPABILITY", `the client cannot be asked for ${method} on this connection`);
			return session.request(method, question, signal);
		},
		finish: () => pacer?.finish(),
	};
}

function clientOf(server: Server, era: Era, claim: Record<string, unknown>): ClientDescription {
	if (era === "legacy") {
		const { name, version } = server.getClientVersion() ?? {};
		const protocolVersion = server.getNegotiatedProtocolVersion() ?? LEGACY_REVISION;
		return {
			protocolVersion,
			capabilities: fitClientCapabilities({ ...server.getClientCapabilities() }, protocolVersion),
			...(name !== undefined && { name }),
			...(version !== undefined && { version }),
		};
	}
	const capabilities = claim[META.clientCapabilities];
	return { protocolVersion: MODERN_REVISION, capabilities: isRecord(capabilities) ? capabilities : {} };
}
