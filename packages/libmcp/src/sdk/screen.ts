import { Buffer } from "node:buffer";
import { isRpcError } from "../fault/rpcError.ts";
import { refusalAnswer, refuseDuplicateId, type WrittenResult } from "../server/protocol/outlet.ts";
import { REMOVED_METHODS } from "../server/protocol/protocol.ts";
import { hasFeature } from "../server/protocol/revisions.ts";
import { protocolError, unknownMethod } from "../server/protocol/rpcErrors.ts";
import { BatchAnswers, splitMessages } from "../server/session/batchAnswers.ts";
import { clientClaim, readInitialize } from "../server/session/clientClaim.ts";
import { createUnreadableError } from "../server/session/outgoingRequests.ts";
import { invalidFrameError, readParams, readProgressToken } from "../server/session/rpcServer.ts";
import { answerGivenUp } from "../server/session/trackedRequest.ts";
import { type SpanEdit, spliceSpans } from "../wire/encodeFrame.ts";
import type { Envelope, InvalidEnvelope, NotificationEnvelope, RequestEnvelope } from "../wire/envelope.ts";
import { isPlainId, parseRequestId, type RequestId, sameRequestId, toLooseId, toRequestId } from "../wire/requestId.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { checkMeta, fitHandshake, handshakeRefusal } from "./handshake.ts";

type Pending = {
	readonly original: RequestId;
	readonly method: string;
	/** The request's progress token, as JSON text. */
	readonly token: string | undefined;
	/** The members of a result that is already JSON text. */
	written?: string;
	/** Takes the answer, or undefined when none is due any more. */
	readonly finish: Finish;
};

type Finish = (text: string | undefined) => void;

export type ScreenEnds = {
	/** Passes bytes to the SDK. */
	readonly forward: (pieces: readonly Uint8Array[]) => void;
	/** Sends a whole line to the client. */
	readonly answer: (text: string) => void;
};

/**
 * Filters a client's messages before the SDK's stdio transport, which silently drops what it cannot read, serves
 * requests before the handshake, and keeps ids as JavaScript numbers. The SDK frames, parses and answers whatever
 * passes.
 */
export class Screen {
	readonly #ends: ScreenEnds;
	/** Requests in flight, by the ids that the SDK sees. */
	readonly #ids = new Map<string, Pending>();
	/** Not a secret: a client that guesses it only mixes up its own ids. Loading `node:crypto` would delay the handshake. */
	readonly #prefix = `screen-${process.pid}-${Math.random().toString(36).slice(2)}`;
	#next = 1;
	#initialized: boolean = false;
	/** What is spoken with the client, once the handshake is over. */
	#revision: string | undefined;

	constructor(ends: ScreenEnds) {
		this.#ends = ends;
	}

	/** The progress token, as JSON text, of the request that the SDK knows by this id. */
	tokenOf(own: RequestId): string | undefined {
		return this.#ids.get(own)?.token;
	}

	/** Whether the SDK has a request to answer; a subscription is answered only when the server ends. */
	get isBusy(): boolean {
		return [...this.#ids.values()].some(({ method }) => method !== "subscriptions/listen");
	}

	incoming(frame: Buffer): void {
		const envelope: Envelope = scanEnvelope(frame);
		const isBatch = envelope.kind === "invalid" && envelope.reason === "batch";
		if (isBatch && this.#revision !== undefined && hasFeature(this.#revision, "batches")) this.#batch(frame);
		else this.#message(envelope, frame, this.#finishAlone);
	}

	readonly #finishAlone: Finish = (text) => {
		if (text !== undefined) this.#ends.answer(text);
	};

	#batch(frame: Buffer): void {
		let messages: readonly Buffer[];
		try {
			messages = splitMessages(frame);
		} catch (error) {
			this.#refuse(undefined, error, this.#finishAlone);
			return;
		}
		const together = new BatchAnswers(messages.length, this.#finishAlone);
		for (const message of messages) this.#message(scanEnvelope(message), message, (text) => together.finish(text));
	}

	#message(envelope: Envelope, frame: Buffer, finish: Finish): void {
		switch (envelope.kind) {
			case "invalid":
				this.#unreadable(envelope, finish);
				break;
			case "request":
				this.#request(envelope, frame, finish);
				break;
			case "notification":
				this.#notification(envelope, frame);
				finish(undefined);
				break;
			case "response":
			case "error-response":
				this.#ends.forward([frame, NEWLINE]);
				finish(undefined);
		}
	}

	/** A stand-in that the SDK sends for a result that is already JSON text; `outgoing` puts the text in. */
	placeholder(own: RequestId, { members }: WrittenResult): Record<string, unknown> {
		const pending = this.#ids.get(own);
		if (pending !== undefined) pending.written = members;
		return { [this.#prefix]: 0 };
	}

	/** Sends a line from the SDK to the client; `own` is the id of the request that the line answers. */
	outgoing(line: string, own: RequestId | undefined): void {
		const pending = own === undefined ? undefined : this.#ids.get(own);
		if (own === undefined || pending === undefined) {
			this.#ends.answer(this.#underTheirIds(line));
			return;
		}
		this.#ids.delete(own);
		const { original, written, method, finish } = pending;
		if (method === "initialize") {
			this.#greeted(line, own, pending);
			return;
		}
		const named = original === own ? line : line.replaceAll(own, () => original);
		finish(written === undefined ? named : named.replace(`"${this.#prefix}":0`, () => written));
	}

	#greeted(line: string, own: RequestId, { original, finish }: Pending): void {
		const refusal = handshakeRefusal(line);
		if (refusal !== undefined) {
			this.#initialized = false;
			this.#refuse(original, refusal, finish);
			return;
		}
		const fit = fitHandshake(line);
		this.#revision = fit.revision;
		finish(original === own ? fit.line : fit.line .replaceAll(own, () => original));
	}

	/** Answers every request in flight in place of the SDK, which must be closed. */
	giveUp(reason: string): void {
		for (const { original, method, finish } of this.#ids.values()) finish(answerGivenUp(original, method, reason).text);
	}

	/** A subscription's notifications name the request that opened it, so restore the client's id in them. */
	#underTheirIds(line: string): string {
		if (!line.includes(this.#prefix)) return line;
		return [...this.#ids].reduce((text, [own, { original }]) => text.replaceAll(own, () => original), line);
	}

	#unreadable({ id, answers, reason, detail }: InvalidEnvelope, finish: Finish): void {
		// If the SDK waits for an answer under that id, this tells it that none will come; otherwise the SDK ignores it.
		if (answers !== undefined)
			this.#ends.forward([Buffer.from(`${refusalAnswer(answers, createUnreadableError(detail)).text}\n`)]);
		// Sent without an id when a call in flight has the same id: an answer under it would end that call.
		this.#refuse(id && this.#isInFlight(id) ? undefined : id, invalidFrameError(reason, detail), finish);
	}

	#request(envelope: RequestEnvelope, frame: Buffer, finish: Finish): void {
		if (this.#isInFlight(envelope.id)) {
			finish(refuseDuplicateId(envelope.id).text);
			return;
		}
		try {
			const params = readParams(frame, envelope.params);
			checkMeta(params);
			if (clientClaim(params) === undefined) this.#checkHandshake(envelope.method, params);
			else if (REMOVED_METHODS.has(envelope.method)) throw unknownMethod(envelope.method);
		} catch (error) {
			if (!isRpcError(error)) throw error;
			this.#refuse(envelope.id, error, finish);
			return;
		}
		// Ids that survive JavaScript's numbers pass unchanged; others are replaced by one of ours.
		const own = isPlainId(envelope.id) ? envelope.id : toRequestId(`${this.#prefix}:${this.#next++}`);
		const token = readProgressToken(frame, envelope.params);
		this.#ids.set(own, { original: envelope.id, method: envelope.method, token, finish });
		const span = envelope.params?.metaProgressToken;
		const edits = span === undefined || token === undefined || isPlainId(token) ? [] : [{ span, text: own }];
		this.#ends.forward(plainMessage(frame, envelope, own, edits));
	}

	#checkHandshake(method: string, params: unknown): void {
		if (method === "initialize") {
			if (this.#initialized) throw protocolError("ALREADY_INITIALIZED", "initialize: sent a second time");
			readInitialize(params);
			this.#initialized = true;
		} else if (!this.#initialized && method !== "ping") {
			throw protocolError("NOT_INITIALIZED", `${method.slice(0, 64)}: sent before initialize`);
		}
	}

	#notification({ method, params }: NotificationEnvelope, frame: Buffer): void {
		const span = method === "notifications/cancelled" ? params?.requestId : undefined;
		const named = span === undefined ? undefined : parseRequestId(frame.toString("utf8", span.start, span.end));
		if (span === undefined || named === undefined) {
			this.#ends.forward(plainMessage(frame, { method, params }, undefined, []));
			return;
		}
		const own = this.#ownOf(named);
		if (own === undefined) return;
		// A cancelled request gets no answer, so its id is free from here on.
		this.#ids.get(own)?.finish(undefined);
		this.#ids.delete(own);
		this.#ends.forward(plainMessage(frame, { method, params }, undefined, [{ span, text: own }]));
	}

	#isInFlight(id: RequestId): boolean {
		return [...this.#ids.values()].some(({ original }) => sameRequestId(original, id));
	}

	#ownOf(named: RequestId): string | undefined {
		const all = [...this.#ids];
		const exact = all.find(([, { original }]) => sameRequestId(original, named));
		return (exact ?? all.find(([, { original }]) => toLooseId(original) === toLooseId(named)))?.[0];
	}

	#refuse(id: RequestId | undefined, error: unknown, finish: Finish): void {
		finish(refusalAnswer(id, error).text);
	}
}

/** The message without members unknown to the protocol; because of them, the SDK's reader would drop it whole. */
function plainMessage(
	frame: Buffer,
	{ method, params }: Pick<RequestEnvelope, "method" | "params">,
	id: string | undefined,
	edits: readonly SpanEdit[],
): readonly Uint8Array[] {
	const named = id === undefined ? "" : `"id":${id},`;
	const head = `{"jsonrpc":"2.0",${named}"method":${JSON.stringify(method)}`;
	const { start, end } = params ?? { start: frame.length, end: frame.length };
	return spliceSpans(frame, [
		{ span: { start: 0, end: start }, text: params === undefined ? head : `${head},"params":` },
		...edits,
		{ span: { start: end, end: frame.length }, text: "}" },
	]);
}

const NEWLINE = new Uint8Array([0x0a]);
