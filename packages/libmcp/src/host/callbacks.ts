import type { Buffer } from "node:buffer";
import type { Fault } from "../fault/fault.ts";
import { faultResponse } from "../fault/faultResponse.ts";
import type {
	ErrorResponseEnvelope,
	NotificationEnvelope,
	RequestEnvelope,
	ResponseEnvelope,
} from "../wire/envelope.ts";
import { parseRequestId, type RequestId, requestId, sameRequestId } from "../wire/requestId.ts";
import { errorFrame } from "./clientPort.ts";
import type { Parts } from "./parts.ts";
import { spanText } from "./readSpan.ts";
import { rewrite, withId } from "./rewrite.ts";
import type { Worker } from "./worker.ts";

type Callback = { readonly worker: Worker; readonly original: RequestId; readonly method: string };

const ROOTS = "roots/list";

/** A worker with more unanswered requests than this is flooding the client. */
const MAX_OPEN = 256;

/** Requests the server makes of the client. Two generations may use the same ids, so the client sees neither's. */
export class Callbacks {
	readonly #parts: Parts;
	readonly #open = new Map<RequestId, Callback>();
	#count = 0;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	fromWorker(worker: Worker, frame: Buffer, envelope: RequestEnvelope): void {
		if (this.#open.size >= MAX_OPEN) {
			worker.send(errorFrame(envelope.id, { code: -32603, message: `at most ${MAX_OPEN} requests may be open` }));
			return;
		}
		const id = requestId(`holdfast-g${worker.generation}-${++this.#count}`);
		this.#open.set(id, { worker, original: envelope.id, method: envelope.method });
		if (envelope.method === ROOTS) this.#rootsAsked(worker);
		this.#parts.port.send(withId(frame, envelope.idSpan, id));
	}

	/** Passes the client's answer to the worker that asked; dropped when nobody waits for it any more. */
	fromClient(frame: Buffer, envelope: ResponseEnvelope | ErrorResponseEnvelope): void {
		const callback = envelope.id && this.#take(envelope.id);
		if (callback === undefined) return;
		if (callback.worker.gone) return;
		callback.worker.send(withId(frame, envelope.idSpan, callback.original));
		if (callback.method === ROOTS) callback.worker.roots = "given";
	}

	/** A question that the client answers without its user, and that a candidate needs answered before it takes over. */
	isForCandidate(worker: Worker, { method }: RequestEnvelope): boolean {
		return method === ROOTS && worker.toldInitialized && this.#parts.session.asksForRoots;
	}

	/** The client's answer cannot be passed on; the worker that asked is told why. False when no request has that id. */
	unreadable(id: RequestId, fault: Fault): boolean {
		const callback = this.#take(id);
		if (callback === undefined) return false;
		if (!callback.worker.gone) callback.worker.send(errorFrame(callback.original, faultResponse(fault)));
		return true;
	}

	/** The worker gives up a request of its own. */
	cancelledByWorker(worker: Worker, frame: Buffer, envelope: NotificationEnvelope): void {
		const span = envelope.params?.requestId;
		if (span === undefined) return;
		const original = parseRequestId(spanText(frame, span));
		for (const [id, callback] of this.#open) {
			if (original === undefined || callback.worker !== worker) continue;
			if (!sameRequestId(callback.original, original)) continue;
			this.#open.delete(id);
			this.#parts.port.send(rewrite(frame, [{ span, text: id }]));
		}
	}

	/** Cancels a dead worker's requests: the client need not answer them. */
	withdraw(worker: Worker): void {
		for (const [id, callback] of this.#open) {
			if (callback.worker !== worker) continue;
			this.#open.delete(id);
			const requestId: unknown = JSON.parse(id);
			this.#parts.port.notify("notifications/cancelled", { requestId, reason: "the server restarted" });
		}
	}

	#rootsAsked(worker: Worker): void {
		if (worker.roots === "not asked") worker.roots = "asked";
		if (worker.calls.values().every((call) => call.tool === undefined)) this.#parts.session.asksForRoots = true;
	}

	#take(id: RequestId): Callback | undefined {
		const callback = this.#open.get(id);
		this.#open.delete(id);
		return callback;
	}
}
