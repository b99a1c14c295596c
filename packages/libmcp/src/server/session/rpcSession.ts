import type { Buffer } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import type { Envelope, InvalidEnvelope, NotificationEnvelope, RequestEnvelope } from "../../wire/envelope.ts";
import { parseRequestId, type RequestId, toLooseId, toRequestKey } from "../../wire/requestId.ts";
import { scanEnvelope } from "../../wire/scanEnvelope.ts";
import type { ClientDescription, Principal, Session, SessionNotes } from "../protocol/dispatcher.ts";
import { fitNotification, fitQuestion } from "../protocol/fitQuestion.ts";
import { completeModernResult, fitDescription } from "../protocol/fitResult.ts";
import { notificationText, type Outlet, refusalAnswer, refuseDuplicateId, resultAnswer } from "../protocol/outlet.ts";
import { REMOVED_METHODS } from "../protocol/protocol.ts";
import { type Feature, hasFeature, LEGACY_REVISION } from "../protocol/revisions.ts";
import { protocolError, unknownMethod } from "../protocol/rpcErrors.ts";
import {
	omitStanding,
	type ServerDescription,
	writeDiscoverResult,
	writeInitializeResult,
} from "../protocol/serverDescription.ts";
import { BatchAnswers, splitMessages } from "./batchAnswers.ts";
import { Call, type CallRequest } from "./call.ts";
import { type ClientClaim, clientClaim, readInitialize } from "./clientClaim.ts";
import { OutgoingRequests } from "./outgoingRequests.ts";
import { invalidFrameError, type RpcServer, readParams, readProgressToken } from "./rpcServer.ts";
import { Subscriptions } from "./subscriptions.ts";
import { type Begun, type Cancellable, TrackedRequest } from "./trackedRequest.ts";

export type RpcSessionOptions = {
	readonly id: string;
	/** Receives messages that belong to no request. */
	readonly outlet: Pick<Outlet, "emit">;
	readonly principal?: Principal;
	/** True when the session lasts for one request only: the client can be asked nothing, and is not told of changes. */
	readonly standsAlone?: boolean;
	/** Set when the client is known without a handshake; the session is then ready at once. */
	readonly client?: ClientDescription;
	/** Default: kept in memory. */
	readonly notes?: SessionNotes;
	/** The id of the first question to the client. Default: 1. */
	readonly firstQuestion?: number;
};

const DRAIN_POLL_MS = 5;

type Incoming = Omit<CallRequest, "era" | "client">;

/** One client's session: its handshake, its requests in flight, and the server's requests to it. */
export class RpcSession implements Session {
	readonly id: string;
	readonly notes: SessionNotes;
	/** Always the same caller, but with the rights of its latest message: its token or the configuration may have changed. */
	principal: Principal | undefined;
	readonly #server: RpcServer;
	readonly #outlet: Pick<Outlet, "emit">;
	readonly #standsAlone: boolean;
	readonly #calls = new Map<string, TrackedRequest>();
	readonly #asked: OutgoingRequests;
	readonly #subscriptions: Subscriptions;
	readonly #ended = new AbortController();
	#client: ClientDescription | undefined;
	/** True once the handshake has been answered, so that the server may send messages. */
	#ready: boolean;

	constructor(server: RpcServer, options: RpcSessionOptions) {
		this.#server = server;
		this.#subscriptions = new Subscriptions(server.onWatch);
		this.id = options.id;
		this.notes = options.notes ?? new Map<string, unknown>();
		this.#asked = new OutgoingRequests(options.firstQuestion);
		this.#outlet = options.outlet;
		this.#standsAlone = options.standsAlone ?? false;
		this.principal = options.principal;
		this.#client = options.client;
		this.#ready = options.client !== undefined;
	}

	get client(): ClientDescription | undefined {
		return this.#client;
	}
	get ended(): AbortSignal {
		return this.#ended.signal;
	}
	notify(method: string, params?: Record<string, unknown>): void {
		if (this.ended.aborted) return;
		this.#subscriptions.publish(method, params);
		const fit = fitNotification(this.#revision, method, params);
		if (this.#ready && fit !== undefined) this.#outlet.emit(notificationText(method, params && fit));
	}

	async request(method: string, params?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
		return this.#asked.ask(method, fitQuestion(this.#revision, method, params), this.#outlet, signal ?? this.ended);
	}

	/** Whether the revision that is spoken with this client has it; false before the handshake. */
	has(feature: Feature): boolean {
		return this.#client !== undefined && hasFeature(this.#revision, feature);
	}

	get #revision(): string {
		return this.#client?.protocolVersion ?? LEGACY_REVISION;
	}

	/** Handles one message; all output goes to `outlet`, which is always finished in the end. */
	receive(envelope: Envelope, frame: Buffer, outlet: Outlet): void {
		switch (envelope.kind) {
			case "request":
				this.#admit(envelope, frame, outlet);
				break;
			case "notification":
				this.#notification(envelope, frame);
				outlet.finish(undefined);
				break;
			case "response":
			case "error-response":
				this.#asked.answered(envelope, frame, this.#server.parse);
				outlet.finish(undefined);
				break;
			case "invalid":
				if (envelope.reason === "batch" && this.has("batches")) this.#batch(frame, outlet);
				else this.#unreadable(envelope, outlet);
				break;
		}
	}

	#batch(frame: Buffer, outlet: Outlet): void {
		let messages: readonly Buffer[];
		try {
			messages = splitMessages(frame);
		} catch (error) {
			outlet.finish(refusalAnswer(undefined, error));
			return;
		}
		const together = new BatchAnswers(messages.length, (text) =>
			outlet.finish(text === undefined ? undefined : { text, refused: false }),
		);
		const each: Outlet = {
			emit: (text) => outlet.emit(text),
			...(outlet.reaches && { reaches: () => outlet.reaches?.() !== false }),
			finish: (answer) => together.finish(answer?.text),
		};
		for (const message of messages) {
			const envelope = scanEnvelope(message);
			// A batch in a batch is none.
			if (envelope.kind === "invalid") this.#unreadable(envelope, each);
			else this.receive(envelope, message, each);
		}
	}

	/** Answers the open subscriptions and waits for requests in flight until `isOver`. */
	async drain(isOver: () => boolean): Promise<void> {
		this.#subscriptions.end();
		while (this.#calls.size > 0 && !isOver()) await delay(DRAIN_POLL_MS);
	}

	/** Answers everything in flight in place of its handlers, then ends it. */
	giveUp(reason: string): void {
		this.#subscriptions.end();
		for (const call of this.#calls.values()) call.giveUp(reason);
		this.end(reason);
	}

	/** Ends everything in flight without an answer. */
	end(reason: string): void {
		if (this.ended.aborted) return;
		this.#subscriptions.end();
		for (const call of this.#calls.values()) call.cancel(reason);
		this.#asked.end(reason);
		this.#ended.abort(new DOMException(reason, "AbortError"));
	}

	#unreadable({ id, answers, reason, detail }: InvalidEnvelope, outlet: Outlet): void {
		if (answers !== undefined) this.#asked.fail(answers, detail);
		// Sent without an id when a call in flight has the same id: an answer under it would end that call.
		const to = id && this.#calls.has(toRequestKey(id)) ? undefined : id;
		outlet.finish(refusalAnswer(to, invalidFrameError(reason, detail)));
	}

	#admit(envelope: RequestEnvelope, frame: Buffer, outlet: Outlet): void {
		const key = toRequestKey(envelope.id);
		if (this.#calls.has(key)) {
			outlet.finish(refuseDuplicateId(envelope.id));
			return;
		}
		const tracked = new TrackedRequest(envelope, outlet, () => this.#calls.delete(key));
		this.#calls.set(key, tracked);
		tracked.begin(() => {
			const params = readParams(frame, envelope.params, this.#server.parse);
			const claim = clientClaim(params);
			const progressToken = readProgressToken(frame, envelope.params);
			const request: Incoming = {
				id: envelope.id,
				method: envelope.method,
				params,
				...(progressToken === undefined ? {} : { progressToken }),
				...(this.principal === undefined ? {} : { principal: this.principal }),
			};
			return claim === undefined ? this.#legacy(request, tracked, outlet) : this.#modern(request, claim, tracked);
		});
	}

	#modern(request: Incoming, claim: ClientClaim, outlet: Outlet): Begun {
		if (REMOVED_METHODS.has(request.method)) throw unknownMethod(request.method);
		const description = this.#server.describe("modern", claim.client);
		if (description instanceof Promise) return description.then((late) => this.#serve(request, claim, late, outlet));
		return this.#serve(request, claim, description, outlet);
	}

	#serve(
		request: Incoming,
		claim: ClientClaim,
		description: ServerDescription,
		outlet: Outlet,
	): Cancellable | undefined {
		const { id, method, params } = request;
		if (method === "subscriptions/listen") {
			const told = this.#server.toldTo(description, request.principal);
			return { cancel: this.#subscriptions.listen(id, params, told, outlet) };
		}
		if (method === "server/discover") {
			const told = this.#server.toldTo(description, request.principal);
			outlet.finish(resultAnswer(id, completeModernResult(method, writeDiscoverResult(told), told.info)));
			return undefined;
		}
		return this.#call({ ...request, ...claim, era: "modern", info: description.info }, outlet);
	}

	/** Questions go past the outlet of the answer: they are withdrawn also when no answer is wanted any more. */
	#legacy(request: Incoming, outlet: Outlet, questions: Outlet): Begun {
		const { id, method } = request;
		if (method === "ping") {
			outlet.finish(resultAnswer(id, {}));
			return undefined;
		}
		if (method === "initialize") return this.#initialize(request, outlet);
		const client = this.#client;
		if (client === undefined) throw protocolError("NOT_INITIALIZED", `${method.slice(0, 64)}: sent before initialize`);
		if (this.#standsAlone) return this.#call({ ...request, era: "legacy", client }, outlet);
		const ask: CallRequest["ask"] = async (asked, params, signal) =>
			this.#asked.ask(asked, fitQuestion(client.protocolVersion, asked, params), questions, signal);
		return this.#call({ ...request, era: "legacy", client, session: this, ask }, outlet);
	}

	#initialize(request: Incoming, outlet: Outlet): Begun {
		if (this.#client !== undefined) throw protocolError("ALREADY_INITIALIZED", "initialize: sent a second time");
		const client = readInitialize(request.params);
		const done = (description: ServerDescription): undefined => {
			this.#ready = true;
			const told = this.#server.toldTo(description, request.principal);
			const offered = this.#standsAlone ? omitStanding(told) : told;
			const revision = client.protocolVersion;
			outlet.finish(resultAnswer(request.id, writeInitializeResult(fitDescription(offered, revision), revision)));
		};
		this.#client = client;
		const description = this.#server.describe("legacy", client, this.#standsAlone ? undefined : this);
		if (!(description instanceof Promise)) return done(description);
		return description.then(done, (error: unknown) => {
			this.#client = undefined;
			throw error;
		});
	}

	#call(request: CallRequest, outlet: Outlet): Call {
		const call = new Call(request, outlet);
		void call.run(this.#server.dispatcher, this.#server.onUnexpected);
		return call;
	}

	#notification(envelope: NotificationEnvelope, frame: Buffer): void {
		const { method, params } = envelope;
		if (method === "notifications/cancelled" && params?.requestId !== undefined) {
			const id = parseRequestId(frame.toString("utf8", params.requestId.start, params.requestId.end));
			if (id !== undefined) this.#find(id)?.cancel("the client cancelled the request");
			return;
		}
		try {
			this.#server.onNotification(method, readParams(frame, params, this.#server.parse), this);
		} catch {
			// A notification gets no answer, so an unreadable one is dropped.
		}
	}

	/** Matches by id and JSON type first, then by plain text: some clients send a number back as a string. */
	#find(id: RequestId): Cancellable | undefined {
		const exact = this.#calls.get(toRequestKey(id));
		if (exact !== undefined) return exact;
		const loose = toLooseId(id);
		for (const [key, call] of this.#calls) {
			const other = parseRequestId(key);
			if (other !== undefined && toLooseId(other) === loose) return call;
		}
		return undefined;
	}
}
