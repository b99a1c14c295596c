import type { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { clientClaim } from "../server/clientClaim.ts";
import { isRpcError } from "../server/dispatcher.ts";
import { readInitialize } from "../server/initialize.ts";
import { errorAnswer } from "../server/outlet.ts";
import { protocolError } from "../server/rpcErrors.ts";
import { invalidFrameError, readParams, readProgressToken } from "../server/rpcServer.ts";
import type { Envelope, NotificationEnvelope, RequestEnvelope } from "../wire/envelope.ts";
import { looseRequestId, parseRequestId, type RequestId, requestId, sameRequestId } from "../wire/requestId.ts";
import { scanEnvelope } from "../wire/scanEnvelope.ts";
import { spliceId, spliceSpans } from "../wire/spliceId.ts";

export type ScreenEnds = {
	/** To the SDK. */
	readonly forward: (pieces: readonly Uint8Array[]) => void;
	/** To the client, a whole line. */
	readonly answer: (text: string) => void;
};

/**
 * Stands between a client and the SDK's stdio transport, which says nothing to what it cannot read, serves before the
 * handshake, and knows ids only as JavaScript numbers. What it lets through the SDK frames, parses and answers.
 */
export class Screen {
	readonly #ends: ScreenEnds;
	/** The client's id, and its progress token, for each id the SDK knows, while a request is in flight. */
	readonly #ids = new Map<string, { readonly original: RequestId; readonly token: string | undefined }>();
	readonly #prefix = randomUUID();
	#next = 1;
	#initialized: boolean = false;

	constructor(ends: ScreenEnds) {
		this.#ends = ends;
	}

	/** The JSON text of the progress token that came with the request the SDK knows by this id. */
	tokenOf(own: RequestId): string | undefined {
		return this.#ids.get(own)?.token;
	}

	/** Requests the SDK has not answered yet. */
	get inFlight(): number {
		return this.#ids.size;
	}

	incoming(frame: Buffer): void {
		const envelope: Envelope = scanEnvelope(frame);
		switch (envelope.kind) {
			case "invalid":
				this.#refuse(envelope.id, invalidFrameError(envelope.reason, envelope.detail));
				break;
			case "request":
				this.#request(envelope, frame);
				break;
			case "notification":
				this.#notification(envelope, frame);
				break;
			case "response":
			case "error-response":
				this.#ends.forward([frame, NEWLINE]);
		}
	}

	/** A line of the SDK's on its way out. */
	outgoing(line: Buffer): void {
		const envelope = scanEnvelope(line);
		const own = envelope.kind === "response" || envelope.kind === "error-response" ? envelope.id : undefined;
		const original = own === undefined ? undefined : this.#ids.get(own)?.original;
		if (own === undefined || original === undefined || !("idSpan" in envelope)) {
			this.#ends.answer(line.toString());
			return;
		}
		this.#ids.delete(own);
		this.#ends.answer(spliceId(line, envelope.idSpan, original).map(String).join("").trimEnd());
	}

	#request(envelope: RequestEnvelope, frame: Buffer): void {
		try {
			const params = readParams(frame, envelope.params);
			if ([...this.#ids.values()].some(({ original }) => sameRequestId(original, envelope.id))) {
				throw protocolError("DUPLICATE_ID", `id: a request with id ${envelope.id} is in flight`);
			}
			if (clientClaim(params) === undefined) this.#checkHandshake(envelope.method, params);
		} catch (error) {
			if (!isRpcError(error)) throw error;
			this.#refuse(envelope.id, error);
			return;
		}
		// What JavaScript would write back as it came goes through as it is; the rest gets a name of our own.
		const own = isExact(envelope.id) ? envelope.id : requestId(`${this.#prefix}:${this.#next++}`);
		const token = readProgressToken(frame, envelope.params);
		this.#ids.set(own, { original: envelope.id, token });
		const edits = [{ span: envelope.idSpan, text: own as string }];
		const span = envelope.params?.metaProgressToken;
		if (span !== undefined && token !== undefined && !isExact(token)) edits.push({ span, text: own });
		this.#ends.forward(spliceSpans(frame, edits));
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
			this.#ends.forward([frame, NEWLINE]);
			return;
		}
		const own = this.#ownOf(named);
		if (own === undefined) return;
		// A cancelled request gets no answer, so its id is free from here on.
		this.#ids.delete(own);
		this.#ends.forward(spliceSpans(frame, [{ span, text: own }]));
	}

	#ownOf(named: RequestId): string | undefined {
		const all = [...this.#ids];
		const exact = all.find(([, { original }]) => sameRequestId(original, named));
		return (exact ?? all.find(([, { original }]) => looseRequestId(original) === looseRequestId(named)))?.[0];
	}

	#refuse(id: RequestId | undefined, error: unknown): void {
		this.#ends.answer(errorAnswer(id, error, true).text);
	}
}

function isExact(text: string): boolean {
	return JSON.stringify(JSON.parse(text)) === text;
}

const NEWLINE = new Uint8Array([0x0a]);
