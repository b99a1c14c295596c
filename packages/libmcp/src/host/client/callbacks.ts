import type { Buffer } from "node:buffer";
import type { Fault } from "../../fault/fault.ts";
import { createFaultResponse } from "../../fault/faultResponse.ts";
import { RPC_CODES } from "../../fault/rpcError.ts";
import { applyEdits, replaceId } from "../../wire/encodeFrame.ts";
import type {
	ErrorResponseEnvelope,
	NotificationEnvelope,
	RequestEnvelope,
	ResponseEnvelope,
} from "../../wire/envelope.ts";
import { readSpanText } from "../../wire/members.ts";
import { parseRequestId, type RequestId, sameRequestId, toRequestId } from "../../wire/requestId.ts";
import type { Session } from "../session/session.ts";
import type { Call } from "../worker/call.ts";
import type { Worker } from "../worker/worker.ts";
import { encodeError, type Port } from "./clientPort.ts";

type Callback = {
	readonly worker: Worker;
	readonly original: RequestId;
	readonly method: string;
	/** The worker's progress token for its request, if it wants progress. */
	readonly token: RequestId | undefined;
	readonly askedAt: number;
};

const ROOTS = "roots/list";
/** Clients answer these without their user, or never, so a call does not wait long for them. */
const WITHOUT_USER: ReadonlySet<string> = new Set([ROOTS, "ping"]);

/** More than a client answers at once. */
const MAX_OPEN = 256;
/** A request that is open for longer can be given up for a new one; a worker that asks faster floods the client. */
const LEAST_OPEN_MS = 3_000;
const FORGOTTEN = {
	code: RPC_CODES.internalError,
	message: `the client left it unanswered while ${MAX_OPEN} newer requests came`,
};
const TOO_MANY = { code: RPC_CODES.internalError, message: `at most ${MAX_OPEN} requests may be open` };

/**
 * The server's requests to the client. Two generations may use the same ids, so the client sees ids of the host's own.
 */
export class Callbacks {
	readonly #port: Pick<Port, "send" | "notify">;
	readonly #session: Pick<Session, "asksForRoots">;
	readonly #open = new Map<RequestId, Callback>();
	#count = 0;

	constructor(port: Pick<Port, "send" | "notify">, session: Pick<Session, "asksForRoots">) {
		this.#port = port;
		this.#session = session;
	}

	fromWorker(worker: Worker, frame: Buffer, envelope: RequestEnvelope): void {
		if (this.#open.size >= MAX_OPEN && !this.#forgetOldest()) {
			worker.send(encodeError(envelope.id, TOO_MANY));
			return;
		}
		const id = toRequestId(`holdfast-g${worker.generation}-${++this.#count}`);
		const span = envelope.params?.metaProgressToken;
		const token = span && parseRequestId(readSpanText(frame, span));
		this.#open.set(id, { worker, original: envelope.id, method: envelope.method, token, askedAt: performance.now() });
		if (envelope.method === ROOTS) this.#rootsAsked(worker);
		this.#port.send(replaceId(frame, envelope.idSpan, id));
	}

	/** Passes the client's answer to the worker that asked; dropped when nobody waits for it any more. */
	fromClient(frame: Buffer, envelope: ResponseEnvelope | ErrorResponseEnvelope): void {
		const callback = envelope.id && this.#take(envelope.id);
		if (callback === undefined) return;
		if (callback.worker.gone) return;
		callback.worker.send(replaceId(frame, envelope.idSpan, callback.original));
		if (callback.method === ROOTS) callback.worker.roots = "given";
		// The time the client took to answer does not count as the worker's silence.
		for (const call of callback.worker.calls.values()) call.deadline?.progress();
	}

	/** Passes the client's progress report to the worker that asked, serving or not. False when no worker asked for it. */
	progressed(frame: Buffer, envelope: NotificationEnvelope): boolean {
		const span = envelope.params?.progressToken;
		const token = span && parseRequestId(readSpanText(frame, span));
		if (token === undefined) return false;
		const asking = [...this.#open.values()].filter((one) => one.token !== undefined && sameRequestId(one.token, token));
		for (const worker of new Set(asking.map((one) => one.worker))) if (!worker.gone) worker.send(frame);
		return asking.length > 0;
	}

	/** Whether the call's worker has asked the user something since the call came, and still waits for the answer. */
	isAskedDuring({ worker, counted }: Call): boolean {
		const since = counted?.beganAt ?? Number.POSITIVE_INFINITY;
		for (const one of this.#open.values())
			if (one.worker === worker && one.askedAt >= since && !WITHOUT_USER.has(one.method)) return true;
		return false;
	}

	/**
	 * True for a question that the client answers without its user and a candidate needs answered before it takes over.
	 */
	isForCandidate(worker: Worker, { method }: RequestEnvelope): boolean {
		return method === ROOTS && worker.toldInitialized && this.#session.asksForRoots;
	}

	/** Tells the worker why the client's answer cannot be passed on. False when no request has that id. */
	unreadable(id: RequestId, fault: Fault): boolean {
		const callback = this.#take(id);
		if (callback === undefined) return false;
		if (!callback.worker.gone) callback.worker.send(encodeError(callback.original, createFaultResponse(fault)));
		return true;
	}

	/** The worker cancelled its own request, which the client need not see if it was kept back so far. */
	cancelledByWorker(worker: Worker, frame: Buffer, envelope: NotificationEnvelope): void {
		const span = envelope.params?.requestId;
		if (span === undefined) return;
		const original = parseRequestId(readSpanText(frame, span));
		if (original === undefined) return;
		const kept = worker.keptBack.findIndex(({ envelope: { id } }) => sameRequestId(id, original));
		if (kept !== -1) worker.keptBack.splice(kept, 1);
		for (const [id, callback] of this.#open) {
			if (callback.worker !== worker) continue;
			if (!sameRequestId(callback.original, original)) continue;
			this.#open.delete(id);
			this.#port.send(applyEdits(frame, [{ span, text: id }]));
		}
	}

	/** Cancels a dead worker's requests: the client need not answer them. */
	withdraw(worker: Worker): void {
		for (const [id, callback] of this.#open) {
			if (callback.worker !== worker) continue;
			this.#cancel(id, "the server restarted");
		}
	}

	/** False if even that one came just now. */
	#forgetOldest(): boolean {
		const [oldest] = this.#open;
		if (oldest === undefined) return false;
		const [id, { worker, original, askedAt }] = oldest;
		if (performance.now() - askedAt < LEAST_OPEN_MS) return false;
		this.#cancel(id, "newer requests took its place");
		if (!worker.gone) worker.send(encodeError(original, FORGOTTEN));
		return true;
	}

	#cancel(id: RequestId, reason: string): void {
		this.#open.delete(id);
		const requestId: unknown = JSON.parse(id);
		this.#port.notify("notifications/cancelled", { requestId, reason });
	}

	#rootsAsked(worker: Worker): void {
		if (worker.roots === "not asked") worker.roots = "asked";
		if (worker.calls.values().every((call) => call.tool === undefined)) this.#session.asksForRoots = true;
	}

	#take(id: RequestId): Callback | undefined {
		const callback = this.#open.get(id);
		this.#open.delete(id);
		return callback;
	}
}
