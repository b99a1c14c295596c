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
} from "libmcp";
import { PAYLOAD_TOO_LARGE } from "../results.ts";
import { errorText, resultText } from "./answers.ts";

/** The largest request, in UTF-8 bytes of its line. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Whoever answers requests: in this process, or in a worker behind it. */
export type Clerk = {
	/** The answer as a line, or undefined when none is due. */
	answer(request: RequestEnvelope, frame: Buffer): string | undefined | Promise<string | undefined>;
	/** Whether the request is answered at once, past those that wait. */
	isUrgent(request: RequestEnvelope, frame: Buffer): boolean;
	notice(notification: NotificationEnvelope, frame: Buffer): void;
};

type Arrival = { readonly request: RequestEnvelope; readonly frame: Buffer } | { readonly refusal: string };

/** Where the client's bytes come in: guards their size, refuses what is no request, hands on the rest one at a time. */
export class Desk {
	readonly #clerk: Clerk;
	readonly #write: (line: string) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_REQUEST_BYTES });
	readonly #waiting: Arrival[] = [];
	#working: Promise<void> = Promise.resolve();
	#busy: boolean = false;

	constructor(clerk: Clerk, write: (line: string) => void) {
		this.#clerk = clerk;
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
		if (!this.#busy) this.#working = this.#work();
	}

	async #work(): Promise<void> {
		this.#busy = true;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
			const pending = this.#handle(next);
			if (pending !== undefined) await pending;
		}
		this.#busy = false;
	}

	#handle(arrival: Arrival): Promise<void> | undefined {
		const answer = "refusal" in arrival ? arrival.refusal : this.#clerk.answer(arrival.request, arrival.frame);
		if (answer instanceof Promise) return answer.then((late) => this.#say(late));
		this.#say(answer);
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
		const index = this.#waiting.findIndex((one) => "request" in one && looseRequestId(one.request.id) === loose);
		if (index === -1) return false;
		this.#waiting.splice(index, 1);
		return true;
	}
}

// Text that is not JSON has no id, whatever its first bytes look like.
function refusalOf({ reason, detail, id }: InvalidEnvelope): string {
	const unreadable = INVALID_FRAME[reason].code === -32700;
	const error = protocolError(unreadable ? "PARSE_ERROR" : "INVALID_REQUEST", detail, { reason });
	return errorText(unreadable ? "null" : (id ?? "null"), error);
}
