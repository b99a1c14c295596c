import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { errorBody, fitAnswer, fitRequest, LEGACY_REVISION, RPC_CODES, RpcError } from "libmcp";
import { asError } from "libmcp/command";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { describeUnusableAnswer } from "../../upstream/connect/checkAnswers.ts";
import {
	createGoneError,
	createLostError,
	type FailingServer,
	ForgottenSession,
	toClientError,
} from "./connectionFailure.ts";

export type ChannelEvents = {
	onRequest(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
	onNotification(method: string, params: JsonObject): void;
};

export type ChannelRequest = {
	readonly signal?: AbortSignal;
	/** Requests progress from the server; called with each update, without the token. */
	readonly onProgress?: (update: JsonObject) => void;
	/** Extra headers, for transports that send headers with each message. */
	readonly headers?: Readonly<Record<string, string>>;
};

type Pending = {
	readonly method: string;
	readonly resolve: (result: unknown) => void;
	readonly reject: (error: Error) => void;
	readonly onProgress: ((update: JsonObject) => void) | undefined;
};

/** More questions than any client could be asked at once. */
const MOST_QUESTIONS = 64;

/** Plain JSON-RPC with one server: nothing is validated away, so that unknown members pass through. */
export class Channel {
	readonly #transport: Transport;
	readonly #server: FailingServer;
	readonly #events: ChannelEvents;
	readonly #pending = new Map<number, Pending>();
	readonly #answering = new Map<string, AbortController>();
	readonly #over = Promise.withResolvers<void>();
	#next = 1;
	/** What the server speaks. */
	#revision: string = LEGACY_REVISION;
	#ending: string | undefined;

	constructor(transport: Transport, server: FailingServer, events: ChannelEvents) {
		this.#transport = transport;
		this.#server = server;
		this.#events = events;
		transport.onmessage = (message) => this.#receive(message);
		transport.onclose = () => this.#end("the server closed the connection");
		transport.onerror = () => {};
	}

	/** Resolves when the connection has ended, whoever ended it. */
	get closed(): Promise<void> {
		return this.#over.promise;
	}

	get isClosed(): boolean {
		return this.#ending !== undefined;
	}

	async start(): Promise<void> {
		// Over the old SSE transport this is where the server is reached.
		await this.#transport.start().catch(async (thrown: unknown) => {
			throw thrown instanceof RpcError ? thrown : await toClientError(this.#server, "initialize", thrown);
		});
	}

	/** After the handshake; some transports name the revision in a header. */
	useRevision(revision: string): void {
		this.#revision = revision;
		this.#transport.setProtocolVersion?.(revision);
	}

	async request(method: string, params: JsonObject, options: ChannelRequest = {}): Promise<unknown> {
		options.signal?.throwIfAborted();
		if (this.#ending !== undefined) throw createGoneError(this.#ending);
		const id = this.#next++;
		const token = options.onProgress === undefined ? undefined : id;
		const sent = withToken(fitRequest(this.#revision, method, params), token);
		const answer = new Promise<unknown>((resolve, reject) => {
			this.#pending.set(id, { method, resolve, reject, onProgress: options.onProgress });
		});
		const onAbort = (): void => {
			this.#pending.get(id)?.reject(asError(options.signal?.reason));
			this.#send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
		};
		options.signal?.addEventListener("abort", onAbort, { once: true });
		try {
			this.#transport
				.send(message({ jsonrpc: "2.0", id, method, params: sent }), {
					// On transports with one stream per request, closing that stream cancels it too.
					...(options.signal !== undefined && { requestSignal: options.signal }),
					...(options.headers !== undefined && { headers: options.headers }),
				})
				.catch((error: unknown) => this.#failed(id, method, error));
			return await answer;
		} finally {
			this.#pending.delete(id);
			options.signal?.removeEventListener("abort", onAbort);
		}
	}

	notify(method: string, params: JsonObject): void {
		this.#send({ jsonrpc: "2.0", method, params });
	}

	async close(): Promise<void> {
		await this.#transport.close().catch(() => {});
		this.#end("the connection was closed");
	}

	async #failed(id: number, method: string, thrown: unknown): Promise<void> {
		const error = await toClientError(this.#server, method, thrown);
		// A session that the server has forgotten cannot continue; the next request opens a new connection.
		const pending = this.#pending.get(id);
		this.#pending.delete(id);
		if (error instanceof ForgottenSession) await this.close();
		pending?.reject(error);
	}

	#receive(received: unknown): void {
		if (!isObject(received)) return;
		const { id, method } = received;
		const params = isObject(received.params) ? received.params : {};
		if (typeof method === "string" && (typeof id === "string" || typeof id === "number"))
			this.#answer(id, method, params);
		else if (typeof method === "string") this.#notified(method, params);
		else if (typeof id === "number") this.#settle(id, received);
	}

	#settle(id: number, { result, error }: JsonObject): void {
		const pending = this.#pending.get(id);
		if (error !== undefined) pending?.reject(this.#refusal(error));
		// Passed on, this would become an empty result.
		else if (result === undefined || result === null)
			pending?.reject(new RpcError(RPC_CODES.internalError, describeUnusableAnswer({ result })));
		else pending?.resolve(this.#server.masker.result(result));
	}

	#refusal(error: unknown): RpcError {
		const { code, message, data } = isObject(error) ? error : {};
		const { masker } = this.#server;
		const number = typeof code === "number" ? code : RPC_CODES.internalError;
		const said = typeof message === "string" ? message : describeUnusableAnswer({ error });
		return new RpcError(number, masker.text(said), masker.data(data));
	}

	#notified(method: string, params: JsonObject): void {
		if (method === "notifications/progress") {
			const { progressToken, ...update } = params;
			if (typeof progressToken === "number") this.#pending.get(progressToken)?.onProgress?.(update);
		} else if (method === "notifications/cancelled") {
			this.#answering.get(JSON.stringify(params.requestId))?.abort();
		} else this.#events.onNotification(method, params);
	}

	#answer(id: string | number, method: string, params: JsonObject): void {
		const key = JSON.stringify(id);
		if (this.#answering.size >= MOST_QUESTIONS || this.#answering.has(key)) {
			const error = {
				code: RPC_CODES.overloaded,
				message: `at most ${MOST_QUESTIONS} questions at once, each with an id of its own`,
			};
			this.#send({ jsonrpc: "2.0", id, error });
			return;
		}
		const controller = new AbortController();
		this.#answering.set(key, controller);
		this.#events
			.onRequest(method, params, controller.signal)
			.then(
				(result) => ({ jsonrpc: "2.0", id, result: isObject(result) ? fitAnswer(this.#revision, method, result) : {} }),
				(error: unknown) => ({ jsonrpc: "2.0", id, error: errorBody(error) }),
			)
			.then((answer) => {
				this.#answering.delete(key);
				if (!controller.signal.aborted) this.#send(answer);
			})
			.catch(() => {});
	}

	#send(value: JsonObject): void {
		this.#transport.send(message(value)).catch(() => {});
	}

	#end(reason: string): void {
		if (this.#ending !== undefined) return;
		this.#ending = reason;
		this.#over.resolve();
		for (const pending of this.#pending.values()) pending.reject(createLostError(pending.method, reason));
		for (const answering of this.#answering.values()) answering.abort();
	}
}

/** The parameters with this connection's progress token in place of the client's. */
function withToken(params: JsonObject, token: number | undefined): JsonObject {
	const { _meta } = params;
	if (token === undefined && (_meta === undefined || (isObject(_meta) && !("progressToken" in _meta)))) return params;
	const { progressToken: _, ...others } = isObject(_meta) ? _meta : {};
	const carried = token === undefined ? others : { ...others, progressToken: token };
	const { _meta: __, ...rest } = params;
	return Object.keys(carried).length === 0 ? rest : { ...rest, _meta: carried };
}

// The SDK's message type stands for any JSON-RPC message, which is what this is.
function message(value: JsonObject): JSONRPCMessage {
	return value as JSONRPCMessage;
}
