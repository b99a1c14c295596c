import type { Buffer } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../server/protocol/dispatcher.ts";
import { completeModernResult } from "../server/protocol/fitResult.ts";
import { type Answer, resultAnswer } from "../server/protocol/outlet.ts";
import { isRecord, REMOVED_METHODS } from "../server/protocol/protocol.ts";
import { MODERN_REVISION } from "../server/protocol/revisions.ts";
import { PROTOCOL_ERRORS, protocolError, unknownMethod } from "../server/protocol/rpcErrors.ts";
import { writeDiscoverResult } from "../server/protocol/serverDescription.ts";
import { Call } from "../server/session/call.ts";
import { clientClaim } from "../server/session/clientClaim.ts";
import { type RpcServer, readParams, readProgressToken } from "../server/session/rpcServer.ts";
import { Subscriptions } from "../server/session/subscriptions.ts";
import { type Cancellable, TrackedRequest } from "../server/session/trackedRequest.ts";
import type { Envelope, RequestEnvelope } from "../wire/envelope.ts";
import { EventStream } from "./eventStream.ts";
import { checkModernHeaders, readHeader } from "./modernHeaders.ts";
import { checkParamHeaders, paramHeaders, readParamHeaders } from "./paramHeaders.ts";
import { PostReply } from "./postReply.ts";

type Message = Extract<Envelope, { kind: "request" | "notification" }>;

/** A POST whose body has been read. */
export type Post = {
	readonly frame: Buffer;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly principal: Principal | undefined;
	/** Whether the client accepts an event stream as the answer. */
	readonly mayStream: boolean;
	/** Whether it accepts nothing else. */
	readonly mustStream: boolean;
};

/** Requests of clients without a handshake: each is self-contained and ends when its connection closes. */
export class ModernRequests {
	readonly #server: RpcServer;
	readonly #subscriptions: Subscriptions;
	readonly #running = new Set<TrackedRequest>();
	readonly #listening = new Set<PostReply>();

	constructor(server: RpcServer) {
		this.#server = server;
		this.#subscriptions = new Subscriptions(server.onWatch);
	}

	/** The body decides the era; a header that names one must agree with the body. */
	claims(envelope: Envelope, request: IncomingMessage): envelope is Message {
		if (envelope.kind !== "request" && envelope.kind !== "notification") return false;
		if (envelope.params?.metaProtocolVersion !== undefined) return true;
		return readHeader(request.headers, "mcp-protocol-version") === MODERN_REVISION;
	}

	publish(method: string, params?: Record<string, unknown>): void {
		this.#subscriptions.publish(method, params);
	}

	keepAlive(): void {
		for (const reply of this.#listening) reply.stream()?.keepAlive();
	}

	endSubscriptions(): void {
		this.#subscriptions.end();
	}

	giveUpAll(reason: string): void {
		for (const request of this.#running) request.giveUp(reason);
	}

	/** `replies` holds the reply while its client waits for it. */
	handle(envelope: Message, post: Post, replies: Set<PostReply>): void {
		if (envelope.kind === "notification") {
			// A client cancels by closing the connection; other notifications mean nothing to a server without sessions.
			post.response.writeHead(202).end();
			return;
		}
		const listens = envelope.method === "subscriptions/listen";
		// Nobody waits for an open subscription to finish, so it does not delay shutdown.
		const group = listens ? this.#listening : replies;
		const reply: PostReply = new PostReply(post.response, {
			mustStream: post.mustStream,
			openStream: post.mayStream || listens ? () => new EventStream(0) : undefined,
			statusOf,
			onFinished: () => group.delete(reply),
		});
		group.add(reply);
		const request = new TrackedRequest(envelope, reply, () => this.#running.delete(request));
		this.#running.add(request);
		post.response.once("close", () => {
			if (!post.response.writableFinished) request.cancel("the client closed the connection");
		});
		request.begin(() => this.#begin(envelope, post, request));
	}

	async #begin(envelope: RequestEnvelope, post: Post, request: TrackedRequest): Promise<Cancellable | undefined> {
		const { id, method } = envelope;
		const { headers } = post.request;
		const params = readParams(post.frame, envelope.params, this.#server.parse);
		if (envelope.params?.metaProtocolVersion === undefined) throw missingClaim();
		// Checked before the claim: if header and body name different revisions, that is the first mistake to report.
		checkModernHeaders(headers, method, params);
		const claim = clientClaim(params);
		if (claim === undefined) throw missingClaim();
		if (REMOVED_METHODS.has(method)) throw unknownMethod(method);
		const [description] = await Promise.all([
			this.#server.describe("modern", claim.client),
			this.#checkArguments(method, params, headers),
		]);
		// The client may have disconnected during the awaits above, or the server may be closing.
		if (!request.isOpen) {
			request.finish(undefined);
			return undefined;
		}
		if (method === "server/discover") {
			const told = this.#server.toldTo(description, post.principal);
			request.finish(resultAnswer(id, completeModernResult(method, writeDiscoverResult(told), told.info)));
			return undefined;
		}
		if (method === "subscriptions/listen") {
			const told = this.#server.toldTo(description, post.principal);
			return { cancel: this.#subscriptions.listen(id, params, told, request) };
		}
		const progressToken = readProgressToken(post.frame, envelope.params);
		const repeated = readParamHeaders(headers);
		const call = new Call(
			{
				era: "modern",
				id,
				method,
				params,
				...claim,
				info: description.info,
				...(progressToken === undefined ? {} : { progressToken }),
				...(post.principal === undefined ? {} : { principal: post.principal }),
				...(repeated === undefined ? {} : { paramHeaders: repeated }),
			},
			request,
		);
		void call.run(this.#server.dispatcher, this.#server.onUnexpected);
		return call;
	}

	/** Checks only if the server provides tool schemas, and before anybody acts on the call. */
	async #checkArguments(method: string, params: unknown, headers: IncomingHttpHeaders): Promise<void> {
		const name = method === "tools/call" && isRecord(params) ? params.name : undefined;
		if (this.#server.toolSchema === undefined || !isRecord(params) || typeof name !== "string") return;
		checkParamHeaders(headers, params.arguments, paramHeaders(await this.#server.toolSchema(name)));
	}
}

const REFUSED_STATUS: Readonly<Record<number, number>> = {
	[PROTOCOL_ERRORS.PARSE_ERROR]: 400,
	[PROTOCOL_ERRORS.INVALID_REQUEST]: 400,
	[PROTOCOL_ERRORS.METHOD_NOT_FOUND]: 404,
	[PROTOCOL_ERRORS.INVALID_PARAMS]: 400,
	[PROTOCOL_ERRORS.HEADER_MISMATCH]: 400,
	[PROTOCOL_ERRORS.MISSING_CAPABILITY]: 400,
	[PROTOCOL_ERRORS.UNSUPPORTED_VERSION]: 400,
};

/** A handler's error is sent with status 200; only an unknown method and a missing capability have their own status. */
function statusOf({ errorCode, refused }: Answer): number {
	if (errorCode === undefined) return 200;
	if (refused) return REFUSED_STATUS[errorCode] ?? 200;
	if (errorCode === PROTOCOL_ERRORS.METHOD_NOT_FOUND) return 404;
	return errorCode === PROTOCOL_ERRORS.MISSING_CAPABILITY ? 400 : 200;
}

function missingClaim(): Error {
	return protocolError(
		"INVALID_PARAMS",
		`params._meta: expected the claim that revision ${MODERN_REVISION} requires, got nothing`,
		{
			envelope: { missing: ["_meta"] },
		},
	);
}
