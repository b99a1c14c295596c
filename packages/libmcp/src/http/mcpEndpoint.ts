import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Principal } from "../server/protocol/dispatcher.ts";
import { refusalAnswer } from "../server/protocol/outlet.ts";
import { HANDSHAKE_REVISIONS, hasFeature, MODERN_REVISION, UNNAMED_REVISION } from "../server/protocol/revisions.ts";
import { invalidFrameError, RpcServer, type RpcServerOptions } from "../server/session/rpcServer.ts";
import { RpcSession } from "../server/session/rpcSession.ts";
import type { Envelope, InvalidEnvelope } from "../wire/envelope.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { EventBudget } from "./eventLog.ts";
import { EventStream } from "./eventStream.ts";
import type { HttpEndpoint } from "./front/front.ts";
import { findAccepted, MAX_BODY_BYTES, readBody } from "./front/readBody.ts";
import { HttpRefusal } from "./front/refusal.ts";
import { HttpSession } from "./httpSession.ts";
import { readHeader } from "./modernHeaders.ts";
import { ModernRequests, type Post } from "./modernRequests.ts";
import { PostReply, type PostReplyOptions } from "./postReply.ts";
import { type KeepingOptions, SessionKeeper } from "./sessionKeeper.ts";
import { SessionStore } from "./sessionStore.ts";
import { SseEndpoint, speaksSse } from "./sseEndpoint.ts";

export type EndpointOptions = RpcServerOptions & {
	/** Creates no sessions: each request stands alone, and the server cannot ask its clients anything. */
	readonly stateless?: boolean;
	/** Answers every POST with one JSON body; messages before the answer go to the standing stream, if there is one. */
	readonly jsonResponses?: boolean;
	readonly sessionIdleMs?: number;
	readonly maxSessions?: number;
	readonly maxBodyBytes?: number;
	/** Keeps sessions and their calls in a store, so that they outlive this process. Default: they end with it. */
	readonly keeping?: KeepingOptions;
};

const SESSION_IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 10_000;
const TEND_MS = 5_000;
const SHUTTING_DOWN = "the server is shutting down";
const LOGGED_BYTES = 64 * 1024 * 1024;
/** How long a session waits for a client that left during the handshake. */
const COME_BACK_MS = 60_000;
/** A reply that takes longer than this becomes a stream, before a proxy times out. */
const STREAM_AFTER_MS = 5_000;
/** Where sessions are kept, it becomes one this soon, so that its client can come back for the answer. */
const RESUMABLE_AFTER_MS = 100;

/** Serves one MCP server on one path, to clients of both eras. */
export class McpEndpoint implements HttpEndpoint {
	readonly #options: EndpointOptions;
	readonly #server: RpcServer;
	readonly #sessions: SessionStore;
	readonly #keeper: SessionKeeper | undefined;
	readonly #modern: ModernRequests;
	/** For clients of the transport before this one. */
	readonly #sse: SseEndpoint;
	/** One for each request on its way, where no sessions are kept. */
	readonly #standalone = new Set<RpcSession>();
	readonly #replies = new Set<PostReply>();
	readonly #budget = new EventBudget(LOGGED_BYTES);
	readonly #tending: NodeJS.Timeout;

	constructor(options: EndpointOptions) {
		this.#options = options;
		this.#server = new RpcServer(options);
		this.#sessions = new SessionStore({
			idleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
			maxSessions: options.maxSessions ?? MAX_SESSIONS,
		});
		if (options.keeping !== undefined)
			this.#keeper = new SessionKeeper(options.keeping, {
				make: (principal, kept) => new HttpSession(this.#server, { principal, budget: this.#budget, kept }),
				add: (session) => this.#sessions.add(session),
				lost: (id, reason, isElsewhere) => this.#lose(id, reason, isElsewhere),
			});
		this.#modern = new ModernRequests(this.#server);
		this.#sse = new SseEndpoint(options);
		this.#tending = setInterval(() => this.#tend(), Math.min(TEND_MS, options.sessionIdleMs ?? TEND_MS));
		this.#tending.unref();
	}

	get sessions(): number {
		return this.#sessions.size + this.#sse.sessions;
	}
	/** Whether it serves this session now. */
	holds(session: string): boolean {
		return this.#sessions.has(session);
	}
	get inFlight(): number {
		return this.#replies.size;
	}

	async handle(request: IncomingMessage, response: ServerResponse, principal?: Principal): Promise<void> {
		if (this.#options.stateless !== true && speaksSse(request)) return this.#sse.handle(request, response, principal);
		switch (request.method) {
			case "POST":
				return this.#post(request, response, principal);
			case "GET":
				return this.#get(request, response, principal);
			case "DELETE":
				return this.#delete(request, response, principal);
			default:
				throw new HttpRefusal("METHOD_NOT_ALLOWED", `${request.method}: expected POST, GET or DELETE`, {
					allow: "GET, POST, DELETE",
				});
		}
	}

	/** Notifies every client that listens. */
	notify(method: string, params?: Record<string, unknown>): void {
		this.#modern.publish(method, params);
		for (const session of this.#sessions) session.rpc.notify(method, params);
		this.#sse.notify(method, params);
	}

	/** Notifies only clients without a handshake, when the server notifies the others itself. */
	notifyModern(method: string, params?: Record<string, unknown>): void {
		this.#modern.publish(method, params);
	}

	/** Its sessions end with it: none of them goes on in another process, or at another server of this one. */
	endKeeping(): void {
		for (const { kept } of this.#sessions) kept?.end();
	}

	/** Lets go of its sessions, which another process has by now: nothing more is written of them here. */
	async abandonKept(reason: string): Promise<void> {
		const kept = [...this.#sessions].filter((session) => session.kept !== undefined);
		await Promise.all(kept.map((session) => session.leave(reason)));
		for (const session of kept) this.#sessions.end(session.id, reason);
	}

	/** Whoever has it now answers its calls, and the client comes back for them. */
	#lose(id: string, reason: string, isElsewhere: boolean): void {
		const session = [...this.#sessions].find((one) => one.id === id);
		if (isElsewhere) void session?.leave(reason).finally(() => this.#sessions.end(id, reason));
		else this.#sessions.end(id, reason);
	}

	async close(drainMs: number): Promise<void> {
		this.#modern.endSubscriptions();
		const deadline = performance.now() + drainMs;
		while (this.#replies.size > 0 && performance.now() < deadline) await delay(10);
		clearInterval(this.#tending);
		this.#modern.giveUpAll(SHUTTING_DOWN);
		for (const rpc of this.#standalone) rpc.giveUp(SHUTTING_DOWN);
		// Those that are kept go on in the process after this one.
		await Promise.all([...this.#sessions].map((session) => session.leave(SHUTTING_DOWN)));
		for (const session of this.#sessions) this.#sessions.end(session.id, SHUTTING_DOWN);
		await this.#sse.close(deadline - performance.now());
	}

	async #post(request: IncomingMessage, response: ServerResponse, principal: Principal | undefined): Promise<void> {
		const accepts = findAccepted(request);
		const frame = await readBody(request, this.#options.maxBodyBytes ?? MAX_BODY_BYTES);
		const envelope = scanEnvelope(frame);
		const mayStream = accepts.stream && !(this.#options.jsonResponses === true && accepts.json);
		const post: Post = { frame, request, response, principal, mayStream, mustStream: !accepts.json };
		if (this.#modern.claims(envelope, request)) {
			this.#modern.handle(envelope, post, this.#replies);
			return;
		}
		if (envelope.kind === "invalid" && !(await this.#isBatch(envelope, post))) {
			const reply = this.#reply(response, { openStream: undefined, statusOf: () => 400 });
			const error = invalidFrameError(envelope.reason, envelope.detail);
			const session = await this.#find(request, principal);
			// A pending request to the client may be waiting for this answer.
			if (session === undefined) reply.finish(refusalAnswer(envelope.id, error));
			else session.rpc.receive(envelope, frame, reply);
			return;
		}
		checkVersionHeader(request);
		if (this.#options.stateless === true) this.#alone(envelope, post);
		else this.#inSession(envelope, post, await this.#sessionFor(envelope, request, principal));
	}

	/** Whether it is a batch from a client whose revision has batches. */
	async #isBatch({ reason }: InvalidEnvelope, { request, principal }: Post): Promise<boolean> {
		if (reason !== "batch") return false;
		if (this.#options.stateless !== true) return (await this.#find(request, principal))?.rpc.has("batches") === true;
		return hasFeature(readHeader(request.headers, "mcp-protocol-version") ?? UNNAMED_REVISION, "batches");
	}

	#inSession(envelope: Envelope, { frame, response, mayStream, mustStream }: Post, session: HttpSession): void {
		session.active++;
		const record = envelope.kind === "request" ? session.kept?.record(envelope, frame) : undefined;
		const reply = this.#reply(response, {
			mustStream,
			openStream: mayStream ? () => session.callStream(record) : undefined,
			record,
			streamAfterMs: record !== undefined && session.retryMs !== undefined ? RESUMABLE_AFTER_MS : undefined,
			kept: (answer, isStream) => {
				const { client } = session.rpc;
				// A stream sends nothing that is not kept.
				if (!opens(envelope)) return isStream ? undefined : session.kept?.settled()?.catch(() => {});
				return client && answer?.errorCode === undefined ? session.kept?.begin(client, session.hasListened) : undefined;
			},
			overflow: { emit: (text) => session.send(text), reaches: () => session.hasListened },
			// A failed handshake opens no session that could be named.
			headers: () => (session.rpc.client === undefined ? {} : { "mcp-session-id": session.id }),
			onFinished: () => {
				session.active--;
				session.lastSeen = performance.now();
				// A failed handshake leaves no session behind.
				if (opens(envelope) && session.rpc.client === undefined) this.#sessions.end(session.id, "the handshake failed");
			},
		});
		if (opens(envelope)) response.once("close", () => this.#endUnlessKnown(session, response));
		session.rpc.receive(envelope, frame, reply);
	}

	/** Ends a session whose client left during the handshake; one that was told its id may come back for the answer. */
	#endUnlessKnown(session: HttpSession, response: ServerResponse): void {
		const end = (): void => {
			if (!session.isNamed) this.#sessions.end(session.id, "the client left during the handshake");
		};
		if (!response.headersSent) end();
		else if (!response.writableFinished) setTimeout(end, COME_BACK_MS).unref();
	}

	#alone(envelope: Envelope, { frame, request, response, principal, mayStream, mustStream }: Post): void {
		const protocolVersion = readHeader(request.headers, "mcp-protocol-version") ?? UNNAMED_REVISION;
		const rpc = new RpcSession(this.#server, {
			id: "stateless",
			outlet: { emit: () => {} },
			standsAlone: true,
			...(principal === undefined ? {} : { principal }),
			...(opens(envelope) ? {} : { client: { protocolVersion, capabilities: {} } }),
		});
		const reply = this.#reply(response, {
			mustStream,
			openStream: mayStream ? () => new EventStream(0) : undefined,
			onFinished: () => {
				this.#standalone.delete(rpc);
				rpc.end("the request is answered");
			},
		});
		this.#standalone.add(rpc);
		rpc.receive(envelope, frame, reply);
	}

	#reply(response: ServerResponse, options: PostReplyOptions): PostReply {
		const reply: PostReply = new PostReply(response, {
			...options,
			onFinished: () => {
				this.#replies.delete(reply);
				options.onFinished?.();
			},
		});
		this.#replies.add(reply);
		return reply;
	}

	async #get(request: IncomingMessage, response: ServerResponse, principal: Principal | undefined): Promise<void> {
		if (!this.#keepsSessions(request))
			throw new HttpRefusal("METHOD_NOT_ALLOWED", "GET: there is no standing stream here", { allow: "POST" });
		if (!findAccepted(request).stream) throw new HttpRefusal("NOT_ACCEPTABLE", "accept: expected text/event-stream");
		checkVersionHeader(request);
		const session = await this.#existing(request, principal);
		session.listen(response, readHeader(request.headers, "last-event-id"));
	}

	async #delete(request: IncomingMessage, response: ServerResponse, principal: Principal | undefined): Promise<void> {
		if (!this.#keepsSessions(request))
			throw new HttpRefusal("METHOD_NOT_ALLOWED", "DELETE: there are no sessions here", { allow: "POST" });
		const session = await this.#existing(request, principal);
		this.#sessions.end(session.id, "the client ended the session");
		await session.kept?.settled()?.catch(() => {});
		response.writeHead(204).end();
	}

	#keepsSessions(request: IncomingMessage): boolean {
		return this.#options.stateless !== true && readHeader(request.headers, "mcp-protocol-version") !== MODERN_REVISION;
	}

	async #sessionFor(
		envelope: Envelope,
		request: IncomingMessage,
		principal: Principal | undefined,
	): Promise<HttpSession> {
		if (!opens(envelope) || request.headers["mcp-session-id"] !== undefined) return this.#existing(request, principal);
		const kept = this.#keeper?.begin(principal);
		const session = new HttpSession(this.#server, { principal, budget: this.#budget, kept });
		if (!this.#sessions.add(session)) {
			throw new HttpRefusal("RATE_LIMITED", "every session is in use", { "retry-after": "5" });
		}
		return session;
	}

	async #existing(request: IncomingMessage, principal: Principal | undefined): Promise<HttpSession> {
		const session = await this.#find(request, principal);
		if (session !== undefined) {
			session.rpc.principal = principal;
			return session;
		}
		throw request.headers["mcp-session-id"] === undefined
			? new HttpRefusal("SESSION_REQUIRED", "mcp-session-id: expected a session, got nothing")
			: new HttpRefusal("SESSION_NOT_FOUND", "mcp-session-id: there is no such session; initialize again");
	}

	/** A session exists only for the principal that opened it. */
	async #find(request: IncomingMessage, principal: Principal | undefined): Promise<HttpSession | undefined> {
		const id = readHeader(request.headers, "mcp-session-id");
		if (id === undefined) return undefined;
		const session = this.#sessions.get(id) ?? (await this.#keeper?.find(id, principal));
		return session?.rpc.principal?.id === principal?.id ? session : undefined;
	}

	#tend(): void {
		this.#sessions.tend();
		this.#keeper?.tend(this.#options.sessionIdleMs ?? SESSION_IDLE_MS);
		this.#modern.keepAlive();
		const late = performance.now() - STREAM_AFTER_MS;
		for (const reply of this.#replies) if (reply.since < late) reply.stream()?.keepAlive();
	}
}

function opens(envelope: Envelope): boolean {
	return envelope.kind === "request" && envelope.method === "initialize";
}

function checkVersionHeader(request: IncomingMessage): void {
	const version = readHeader(request.headers, "mcp-protocol-version");
	if (version === undefined || HANDSHAKE_REVISIONS.some((revision) => revision === version)) return;
	if (version === MODERN_REVISION)
		throw new HttpRefusal("BAD_REQUEST", `revision ${version}: expected a request or a notification, got an answer`);
	throw new HttpRefusal(
		"UNSUPPORTED_VERSION_HEADER",
		`mcp-protocol-version: expected one of ${[MODERN_REVISION, ...HANDSHAKE_REVISIONS].join(", ")}, got ${JSON.stringify(version.slice(0, 40))}`,
	);
}
