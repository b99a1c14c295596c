import type { IncomingMessage } from "node:http";
import type { JSONRPCMessage, JSONRPCRequest, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { RPC_CODES } from "libmcp";
import { asError } from "libmcp/command";
import { modernHeaders } from "libmcp/http";
import { parseExact } from "../../contract/exactJson.ts";
import { isObject } from "../../contract/json.ts";
import { followStream, OversizeError, type ServerEvent } from "./eventReader.ts";
import type { AuthAttempt, HttpAuth } from "./httpAuth.ts";
import { HttpConnection, type HttpMessage } from "./httpConnection.ts";
import {
	canMeanUnknownSession,
	createContentError,
	createHttpError,
	SessionCheck,
	UnknownSessionError,
} from "./httpFailure.ts";
import { OpenRequests, type RequestId } from "./openRequests.ts";
import { discardBody, readMediaType, readText } from "./readAnswer.ts";
import { RequestHeaders } from "./requestHeaders.ts";

export type StreamableOptions = {
	readonly url: URL;
	/** Sent with every request. */
	readonly headers: Readonly<Record<string, string>>;
	readonly auth?: HttpAuth | undefined;
	/** Size limit of one message. */
	readonly maxBytes: number;
	readonly silenceMs?: number;
	/** Called when a message exceeds it that answers no request; an answer fails its own request only. */
	onFatal(error: Error): void;
};

const MOST_ERROR_BYTES = 64_000;
const FAREWELL_MS = 1_000;

/** The client's end of Streamable HTTP, of both eras: one POST for each message, its answer one JSON body or a stream. */
export class StreamableTransport implements Transport {
	readonly hasPerRequestStream = true;
	onmessage?: Transport["onmessage"];
	onclose?: Transport["onclose"];
	onerror?: Transport["onerror"];
	readonly #options: StreamableOptions;
	readonly #connection: HttpConnection;
	readonly #headers: RequestHeaders;
	readonly #closed = new AbortController();
	readonly #requests = new OpenRequests();
	readonly #check = new SessionCheck((message, requestSignal) => this.#write(message, { requestSignal }));
	#isListening: boolean = false;

	constructor(options: StreamableOptions) {
		this.#options = options;
		this.#connection = new HttpConnection(options.url, options.silenceMs);
		this.#headers = new RequestHeaders(options.headers);
	}

	get sessionId(): string | undefined {
		return this.#headers.session;
	}

	/** Our request in whose answer the server sent this question. */
	askedDuring(question: RequestId): JSONRPCRequest | undefined {
		return this.#requests.askedDuring(question);
	}

	setProtocolVersion(revision: string): void {
		this.#headers.revision = revision;
	}

	async start(): Promise<void> {
		if (this.#closed.signal.aborted) throw new Error("the transport is closed");
	}

	/** Settles with the exchange: when the whole answer has been handed on, or when it is certain that none will come. */
	async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
		const id = "method" in message && "id" in message ? message.id : undefined;
		this.#requests.sent(message);
		try {
			await this.#post(message, id, options);
		} catch (thrown) {
			if (options.requestSignal?.aborted !== true && !(thrown instanceof OversizeError)) this.#report(thrown);
			throw thrown;
		} finally {
			if (id !== undefined) this.#requests.end(id);
		}
	}

	async close(): Promise<void> {
		if (this.#closed.signal.aborted) return;
		this.#closed.abort();
		this.onclose?.();
		this.#connection.close();
		await this.#endSession().catch(() => {});
	}

	async #post(message: JSONRPCMessage, id: RequestId | undefined, options: TransportSendOptions): Promise<void> {
		const { session } = this.#headers;
		const response = await this.#write(message, options);
		const { statusCode: status = 0, headers } = response;
		const method = "method" in message ? message.method : undefined;
		if (status < 200 || status > 299) return this.#refused(response, message, id, session);
		if (method === "initialize") this.#headers.session = oneOf(headers["mcp-session-id"]);
		if (id === undefined || status === 202) {
			discardBody(response);
			if (method === "notifications/initialized") void this.#listen();
			return id === undefined ? undefined : this.#answeredApart(id, method);
		}
		const type = readMediaType(response);
		if (type === "application/json") {
			this.#deliverBody(await readText(response, this.#options.maxBytes));
			if (this.#requests.isOpen(id)) throw new SyntaxError(`expected the answer to request ${id}, got another message`);
		} else if (type === EVENTS) await this.#follow(response, id, options.requestSignal);
		else {
			discardBody(response);
			throw await createContentError(type);
		}
	}

	#write(
		message: JSONRPCMessage,
		{ headers, requestSignal: signal }: Pick<TransportSendOptions, "headers" | "requestSignal">,
	): Promise<IncomingMessage> {
		const body = JSON.stringify(message);
		return this.#exchange(
			(token) => ({
				method: "POST",
				headers: this.#headers.forMessage(message, body, token, headers),
				body,
				signal,
				isAwaited: () => this.#requests.awaits(message),
			}),
			signal,
		);
	}

	/** A request that was only accepted can be answered over the standing stream, if there is one. */
	async #answeredApart(id: RequestId, method: string | undefined): Promise<void> {
		if (this.#isListening) await this.#requests.settled(id);
		if (!this.#requests.isOpen(id)) return;
		// A server of the older era may accept whatever it does not know.
		if (method === "server/discover") this.#deliver({ jsonrpc: "2.0", id, error: UNKNOWN_METHOD });
		else throw new SyntaxError("expected an answer, got HTTP 202, and there is no stream that one could come over");
	}

	/** Sends a message, and sends it again where another token helps. */
	async #exchange(
		make: (token: string | undefined) => HttpMessage,
		signal: AbortSignal | undefined,
	): Promise<IncomingMessage> {
		const { auth } = this.#options;
		if (auth === undefined) return this.#connection.send(make(undefined));
		const attempt: AuthAttempt = { token: undefined, renewals: 0, stepUps: 0 };
		for (;;) {
			attempt.token = await auth.token();
			const response = await this.#connection.send(make(attempt.token));
			const { statusCode: status, headers } = response;
			if (!(await auth.helps({ status, challenge: headers["www-authenticate"] }, attempt))) return response;
			discardBody(response);
			signal?.throwIfAborted();
		}
	}

	async #refused(
		response: IncomingMessage,
		message: JSONRPCMessage,
		id: RequestId | undefined,
		session: string | undefined,
	): Promise<void> {
		const status = response.statusCode;
		const text = await readText(response, MOST_ERROR_BYTES).catch(() => "");
		const modern = "method" in message && modernHeaders(message.method, message.params) !== undefined;
		// The modern era says in HTTP too why it refuses a request; the body is the answer.
		const answer = modern && (status === 400 || status === 404) ? errorTo(id, text) : undefined;
		if (answer !== undefined) return this.#deliver(answer);
		const failure = await createHttpError("ClientHttpNotImplemented", "POST", response, text);
		if (!canMeanUnknownSession(status) || !(await this.#hasForgotten(session))) throw failure;
		throw new UnknownSessionError(failure.message, { cause: failure });
	}

	/** Reads the stream that answers a request, reconnecting as often as the server ends a connection. */
	#follow(response: IncomingMessage, id: RequestId, signal: AbortSignal | undefined): Promise<void> {
		return followStream(response, {
			reopen: (lastEventId) => this.#open(lastEventId, signal),
			onEvent: (event) => this.#event(event, id),
			isOver: () => !this.#requests.isOpen(id) || signal?.aborted === true,
			standing: false,
			maxChars: this.#options.maxBytes,
			signal: this.#closed.signal,
		});
	}

	/** Listens to the standing stream for as long as the session lasts. */
	async #listen(): Promise<void> {
		this.#isListening = true;
		try {
			const first = await this.#open(undefined, undefined).catch(unlessRefused);
			if (first === undefined) return;
			await followStream(first === UNREACHED ? undefined : first, {
				reopen: (lastEventId) => this.#open(lastEventId, undefined),
				onEvent: (event) => this.#event(event, undefined),
				isOver: () => false,
				standing: true,
				maxChars: this.#options.maxBytes,
				signal: this.#closed.signal,
			});
		} catch (thrown) {
			this.#report(thrown);
		} finally {
			this.#isListening = false;
			this.#requests.expectNoMore();
		}
	}

	async #open(lastEventId: string | undefined, signal: AbortSignal | undefined): Promise<IncomingMessage | undefined> {
		const { session } = this.#headers;
		const response = await this.#exchange(
			(token) => ({ method: "GET", headers: this.#headers.forStream(token, lastEventId), signal }),
			signal,
		);
		const { statusCode: status = 0 } = response;
		const isGranted = status >= 200 && status <= 299;
		if (isGranted && readMediaType(response) === EVENTS) return response;
		discardBody(response);
		// A web app at the same address answers every GET with its page.
		if (isGranted || status === 405) return undefined;
		if (canMeanUnknownSession(status) && lastEventId === undefined) await this.#hasForgotten(session);
		throw await createHttpError("ClientHttpFailedToOpenStream", "GET", response, "");
	}

	/** Whether a request of this session was refused because the server has forgotten the session. */
	async #hasForgotten(session: string | undefined): Promise<boolean> {
		if (session === undefined) return false;
		if (session === this.#headers.session && !(await this.#check.isForgotten())) return false;
		this.#loseSession();
		return true;
	}

	/** Fails the current call first, then closes. */
	#loseSession(): void {
		if (this.#headers.session === undefined) return;
		this.#headers.session = undefined;
		setImmediate(() => void this.close());
	}

	async #endSession(): Promise<void> {
		if (this.#headers.session === undefined) return;
		const headers = this.#headers.forEnd(await this.#options.auth?.token());
		discardBody(
			await this.#connection.sendApart({ method: "DELETE", headers, signal: AbortSignal.timeout(FAREWELL_MS) }),
		);
	}

	#event({ type, data }: ServerEvent, during: RequestId | undefined): void {
		if (type !== "" && type !== "message") return;
		try {
			this.#deliverBody(data, during);
		} catch (thrown) {
			this.#report(thrown);
		}
	}

	#report(thrown: unknown): void {
		const error = asError(thrown);
		if (error instanceof OversizeError) this.#options.onFatal(error);
		else if (!this.#closed.signal.aborted) this.onerror?.(error);
	}

	#deliverBody(text: string, during?: RequestId): void {
		const parsed = parseExact(text);
		for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.#deliver(message, during);
	}

	#deliver(message: unknown, during?: RequestId): void {
		if (!isMessage(message)) throw new SyntaxError("expected a JSON-RPC message of version 2.0");
		this.#requests.received(message, during);
		this.onmessage?.(message);
	}
}

const EVENTS = "text/event-stream";
const UNKNOWN_METHOD = {
	code: RPC_CODES.methodNotFound,
	message: "the server accepts the request and does not answer it",
};

const UNREACHED = Symbol("unreached");

/** Temporary HTTP statuses: the server or a proxy is busy, starting or stopping. */
const PASSING = new Set<unknown>([408, 429, 502, 503, 504]);

/** An unreachable server may come back, so retry; an explicit refusal of the stream is final. */
function unlessRefused(thrown: unknown): typeof UNREACHED {
	if (!(thrown instanceof Error)) throw thrown;
	// Checks `code`, because a socket that was cut before its answer has no `syscall`.
	if ("code" in thrown && /^E[A-Z]+$/.test(String(thrown.code))) return UNREACHED;
	if ("data" in thrown && isObject(thrown.data) && PASSING.has(thrown.data.status)) return UNREACHED;
	throw thrown;
}

/** Checks only that it is a JSON-RPC message; the members are checked by the code that sent the request. */
function isMessage(value: unknown): value is JSONRPCMessage {
	if (!isObject(value) || value.jsonrpc !== "2.0") return false;
	return "method" in value || ("error" in value ? value.error !== null : "result" in value);
}

function errorTo(id: RequestId | undefined, text: string): unknown {
	try {
		const answer = parseExact(text);
		return isMessage(answer) && "error" in answer && id !== undefined && answer.id === id ? answer : undefined;
	} catch {
		// What is no JSON is no error either.
		return undefined;
	}
}

function oneOf(header: string | readonly string[] | undefined): string | undefined {
	return typeof header === "string" ? header : header?.[0];
}
