import {
	type FrameEvent,
	INVALID_FRAME,
	type InvalidEnvelope,
	looseRequestId,
	NdjsonReader,
	type NotificationEnvelope,
	parseRequestId,
	protocolError,
	type RequestEnvelope,
	scanEnvelope,
} from "libmcp/serve";
import { PAYLOAD_TOO_LARGE } from "../results.ts";
import { errorText, resultText } from "./answers.ts";
import { type PlainFrame, plainFrame } from "./plainFrame.ts";

/** The largest request, in UTF-8 bytes of its line. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Whoever answers requests: in this process, or in a worker behind it. */
export type Clerk = {
	/** The answer to a plain request, or `UNREADABLE` when the frame must be read in full first. */
	answerPlain(plain: PlainFrame, frame: Buffer): PlainAnswer | Promise<PlainAnswer>;
	/** The answer as a line, or undefined when none is due. */
	answer(request: RequestEnvelope, frame: Buffer): string | undefined | Promise<string | undefined>;
	/** Whether the request is answered at once, past those that wait. */
	isUrgent(request: RequestEnvelope, frame: Buffer): boolean;
	notice(notification: NotificationEnvelope, frame: Buffer): void;
};

export const UNREADABLE: unique symbol = Symbol("unreadable");
export type PlainAnswer = string | undefined | typeof UNREADABLE;

type Arrival =
	| { readonly plain: PlainFrame; readonly frame: Buffer }
	| { readonly request: RequestEnvelope; readonly frame: Buffer }
	| { readonly refusal: string };

/** How the desk tells whoever feeds it to wait. */
export type Flow = { pause(): void; resume(): void };

// A client that sends faster than it is answered is not read beyond this.
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Where the client's bytes come in: guards their size, refuses what is no request, hands on the rest one at a time. */
export class Desk {
	readonly #clerk: Clerk;
	readonly #write: (line: string) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_REQUEST_BYTES });
	readonly #flow: Flow;
	readonly #waiting: Arrival[] = [];
	#waitingBytes: number = 0;
	#paused: boolean = false;
	#working: Promise<void> = Promise.resolve();
	#busy: boolean = false;

	constructor(clerk: Clerk, write: (line: string) => void, flow: Flow) {
		this.#clerk = clerk;
		this.#flow = flow;
		this.#write = write;
	}

	/** Takes bytes as they come; a line over the limit is never held. */
	push(chunk: Uint8Array): void {
		for (const event of this.#reader.push(chunk)) this.#arrive(event);
	}

	/** The client has closed its end: what it sent is answered, an unfinished last line included. */
	async end(): Promise<void> {
		for (const event of this.#reader.end()) this.#arrive(event);
		await this.#working;
	}

	/** Finishes the request in flight and takes no other. */
	async stop(): Promise<void> {
		this.#waiting.length = 0;
		await this.#working;
	}

	#arrive(event: FrameEvent): void {
		if (event.type === "frame" || (event.type === "residue" && event.size <= MAX_REQUEST_BYTES))
			this.#read(event.bytes);
		else this.#queue({ refusal: resultText("null", PAYLOAD_TOO_LARGE) });
	}

	#read(frame: Buffer): void {
		const plain = plainFrame(frame);
		if (plain === undefined) this.#readFully(frame);
		else this.#queue({ plain, frame });
	}

	#readFully(frame: Buffer): void {
		const envelope = scanEnvelope(frame);
		switch (envelope.kind) {
			case "request":
				if (this.#clerk.isUrgent(envelope, frame)) void this.#handle({ request: envelope, frame });
				else this.#queue({ request: envelope, frame });
				return;
			case "notification":
				if (!this.#cancelWaiting(envelope, frame)) this.#clerk.notice(envelope, frame);
				return;
			case "invalid":
				this.#queue({ refusal: refusalOf(envelope) });
				return;
			default:
				// An answer to nothing: this server asks its client no questions.
				return;
		}
	}

	#queue(arrival: Arrival): void {
		this.#waiting.push(arrival);
		this.#waitingBytes += sizeOf(arrival);
		if (this.#waitingBytes > MAX_WAITING_BYTES && !this.#paused) {
			this.#paused = true;
			this.#flow.pause();
		}
		if (!this.#busy) this.#working = this.#work();
	}

	async #work(): Promise<void> {
		this.#busy = true;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
			const pending = this.#handle(next);
			if (pending !== undefined) await pending;
			this.#waitingBytes -= sizeOf(next);
			if (this.#paused && this.#waitingBytes < MAX_WAITING_BYTES / 2) {
				this.#paused = false;
				this.#flow.resume();
			}
		}
		this.#busy = false;
	}

	#handle(arrival: Arrival): Promise<void> | undefined {
		const answer = this.#answer(arrival);
		if (answer instanceof Promise) return answer.then((late) => this.#settle(late, arrival));
		return this.#settle(answer, arrival);
	}

	#answer(arrival: Arrival): PlainAnswer | Promise<PlainAnswer> {
		if ("refusal" in arrival) return arrival.refusal;
		if ("plain" in arrival) return this.#clerk.answerPlain(arrival.plain, arrival.frame);
		return this.#clerk.answer(arrival.request, arrival.frame);
	}

	#settle(answer: PlainAnswer, arrival: Arrival): Promise<void> | undefined {
		if (answer !== UNREADABLE) this.#say(answer);
		else if ("frame" in arrival) return this.#handle(readAgain(arrival.frame));
		return undefined;
	}

	#say(answer: string | undefined): void {
		if (answer !== undefined) this.#write(answer);
	}

	/** A request cancelled before its turn is dropped without an answer. */
	#cancelWaiting(envelope: NotificationEnvelope, frame: Buffer): boolean {
		const span = envelope.method === "notifications/cancelled" ? envelope.params?.requestId : undefined;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		if (id === undefined) return false;
		const loose = looseRequestId(id);
		const index = this.#waiting.findIndex((one) => {
			const waiting = "plain" in one ? one.plain.id : "request" in one ? one.request.id : undefined;
			return waiting !== undefined && looseRequestId(waiting) === loose;
		});
		if (index === -1) return false;
		for (const cancelled of this.#waiting.splice(index, 1)) this.#waitingBytes -= sizeOf(cancelled);
		return true;
	}
}

function sizeOf(arrival: Arrival): number {
	return "frame" in arrival ? arrival.frame.length : arrival.refusal.length;
}

// What looked like a plain request and was not: a request after all, written otherwise, or none.
function readAgain(frame: Buffer): Arrival {
	const envelope = scanEnvelope(frame);
	if (envelope.kind === "request") return { request: envelope, frame };
	if (envelope.kind === "invalid") return { refusal: refusalOf(envelope) };
	return { refusal: errorText("null", protocolError("INVALID_REQUEST", "the frame is no request")) };
}

// Text that is not JSON has no id, whatever its first bytes look like.
function refusalOf({ reason, detail, id }: InvalidEnvelope): string {
	const unreadable = INVALID_FRAME[reason].code === -32700;
	const error = protocolError(unreadable ? "PARSE_ERROR" : "INVALID_REQUEST", detail, { reason });
	return errorText(unreadable ? "null" : (id ?? "null"), error);
}
