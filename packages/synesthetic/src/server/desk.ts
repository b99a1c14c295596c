import {
	type FrameEvent,
	looseRequestId,
	NdjsonReader,
	type NotificationEnvelope,
	parseRequestId,
	type RequestEnvelope,
} from "libmcp/serve";
import { type Arrival, arrivalOf, idOf, isIn, OVERSIZE, readAgain, readFrame, underOwnId } from "./arrival.ts";
import type { Line } from "./lineWriter.ts";
import { type PlainFrame, plainFrame } from "./plainFrame.ts";
import { isWithinLimit, MAX_LINE_BYTES } from "./sizeLimit.ts";
import { Slab } from "./slab.ts";

/** Whoever answers requests, in this process or in a worker behind it. Each is replied to once, at once or later. */
export type Clerk = {
	/** Whether it may be begun while those before it are unanswered; answers keep their order all the same. */
	overlaps(plain: PlainFrame): boolean;
	/** Both reply `UNREADABLE` when the frame is no JSON, or must be read in full first. */
	answerPlain(plain: PlainFrame, frame: Buffer, reply: (answer: Answer) => void): void;
	answer(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void;
	/** Whether the request is answered at once, past those that wait. */
	isUrgent(request: RequestEnvelope, frame: Buffer): boolean;
	notice(notification: NotificationEnvelope, frame: Buffer): void;
};

export const UNREADABLE: unique symbol = Symbol("unreadable");
/** Nothing is written for a request that was cancelled. */
export type Answer = Line | undefined | typeof UNREADABLE;

/** An arrival's place in the line, kept until it and all before it are answered. */
type Place = { arrival: Arrival; readonly bytes: number; answered: boolean; answer: Answer };

/** How the desk tells whoever feeds it to wait. */
export type Flow = { pause(): void; resume(): void };

// A client that sends faster than it is answered is not read beyond this.
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
// As many are begun together as keep a worker busy while its answers travel.
const MAX_BEGUN = 32;

/** Where the client's bytes come in: guards their size, refuses what is no request, answers the rest in their order. */
export class Desk {
	readonly #clerk: Clerk;
	readonly #write: (line: Line) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_LINE_BYTES });
	readonly #slab = new Slab();
	readonly #flow: Flow;
	/** All unanswered, in order; the first `#begun` of them are with the clerk. */
	readonly #line: Place[] = [];
	#begun = 0;
	/** One that was begun may have no other beside it. */
	#exclusive: boolean = false;
	#serving: boolean = false;
	#closed: boolean = false;
	#held: boolean = false;
	/** A notification, or a request given up, whose bytes may still be on their way. */
	#forsaken: boolean = false;
	#waitingBytes: number = 0;
	#paused: boolean = false;
	#idle: (() => void) | undefined;

	constructor(clerk: Clerk, write: (line: Line) => void, flow: Flow) {
		this.#clerk = clerk;
		this.#flow = flow;
		this.#write = write;
	}

	/** Whether somebody waits for an answer. */
	get busy(): boolean {
		return this.#line.length > 0;
	}

	/** Where the next bytes may be put; `filled` then takes them. */
	room(): Buffer {
		return this.#slab.room((memory) => this.#line.some(({ arrival }) => isIn(arrival, memory)));
	}

	filled(bytes: number): void {
		this.push(this.#slab.take(bytes));
		if (this.busy || this.#reader.held > 0) return;
		if (this.#forsaken) this.#slab.abandon();
		else this.#slab.reuse();
		this.#forsaken = false;
	}

	/** Takes bytes as they come; a line over the limit is never held. */
	push(chunk: Uint8Array): void {
		if (this.#closed) return;
		for (const event of this.#reader.push(chunk)) this.#arrive(event);
	}

	/** The client has closed its end: what it sent is answered, an unfinished last line included. */
	async end(): Promise<void> {
		for (const event of this.#reader.end()) this.#arrive(event);
		await this.settled();
	}

	/** Finishes what is begun and takes no other. */
	async stop(): Promise<void> {
		this.#closed = true;
		this.#line.length = this.#begun;
		await this.settled();
	}

	/** Begins no other until it may proceed: the client does not read what it is answered. */
	hold(): void {
		this.#held = true;
	}

	proceed(): void {
		this.#held = false;
		this.#serve();
	}

	/** Resolves when nobody waits any more. */
	async settled(): Promise<void> {
		if (!this.busy) return;
		await new Promise<void>((resolve) => {
			this.#idle = resolve;
		});
	}

	#arrive(event: FrameEvent): void {
		if (isWithinLimit(event)) this.#read(event.bytes);
		else this.#queue(OVERSIZE, OVERSIZE.text.length);
	}

	#read(frame: Buffer): void {
		const plain = plainFrame(frame);
		if (plain === undefined) this.#readFully(frame);
		else this.#queue({ kind: "plain", plain, frame }, frame.length);
	}

	#readFully(frame: Buffer): void {
		const envelope = readFrame(frame);
		switch (envelope?.kind) {
			case "request":
				if (this.#clerk.isUrgent(envelope, frame)) this.#clerk.answer(envelope, frame, (answer) => this.#say(answer));
				else this.#queue(arrivalOf(envelope, frame), frame.length);
				return;
			case "notification":
				if (this.#cancelWaiting(envelope, frame)) return;
				this.#forsaken = true;
				this.#clerk.notice(envelope, frame);
				return;
			case "invalid":
			case undefined:
				this.#queue(arrivalOf(envelope, frame), frame.length);
				return;
			default:
				// An answer to nothing: this server asks its client no questions.
				return;
		}
	}

	#queue(arrival: Arrival, bytes: number): void {
		this.#line.push({ arrival, bytes, answered: false, answer: undefined });
		this.#waitingBytes += bytes;
		if (this.#waitingBytes > MAX_WAITING_BYTES && !this.#paused) {
			this.#paused = true;
			this.#flow.pause();
		}
		this.#serve();
	}

	/** Begins what may begin and writes what is answered, until neither is left. An answer given at once ends up here too. */
	#serve(): void {
		if (this.#serving) return;
		this.#serving = true;
		for (;;) {
			const first = this.#line[0];
			const next = this.#line[this.#begun];
			if (first?.answered === true) this.#leave(first);
			else if (next !== undefined && this.#mayBegin(next.arrival)) this.#begin(next);
			else break;
		}
		this.#serving = false;
		if (this.busy) return;
		this.#idle?.();
		this.#idle = undefined;
	}

	#mayBegin(arrival: Arrival): boolean {
		if (this.#held) return false;
		if (this.#begun === 0) return true;
		if (this.#exclusive || this.#begun >= MAX_BEGUN) return false;
		return arrival.kind === "refusal" || (arrival.kind === "plain" && this.#clerk.overlaps(arrival.plain));
	}

	#begin(place: Place): void {
		const { arrival } = place;
		this.#begun += 1;
		this.#exclusive = arrival.kind === "request" || (arrival.kind === "plain" && !this.#clerk.overlaps(arrival.plain));
		this.#ask(place);
	}

	#ask(place: Place): void {
		const { arrival } = place;
		switch (arrival.kind) {
			case "plain":
				this.#clerk.answerPlain(arrival.plain, arrival.frame, (answer) => this.#answered(place, answer));
				return;
			case "request":
				this.#clerk.answer(arrival.request, arrival.frame, (answer) => this.#answered(place, answer));
				return;
			case "refusal":
				this.#answered(place, arrival.text);
		}
	}

	#answered(place: Place, answer: Answer): void {
		if (answer === UNREADABLE && place.arrival.kind !== "refusal") {
			place.arrival = readAgain(place.arrival.frame);
			this.#ask(place);
			return;
		}
		place.answered = true;
		place.answer = answer;
		this.#serve();
	}

	#leave(place: Place): void {
		this.#line.shift();
		this.#begun -= 1;
		if (this.#begun === 0) this.#exclusive = false;
		this.#say(place.answer, place.arrival);
		this.#release(place);
	}

	#say(answer: Answer, arrival?: Arrival): void {
		if (answer !== undefined && answer !== UNREADABLE) this.#write(arrival ? underOwnId(arrival, answer) : answer);
	}

	#release({ bytes }: Place): void {
		this.#waitingBytes -= bytes;
		if (this.#paused && this.#waitingBytes < MAX_WAITING_BYTES / 2) {
			this.#paused = false;
			this.#flow.resume();
		}
	}

	/** A request cancelled before its turn is dropped without an answer. */
	#cancelWaiting(envelope: NotificationEnvelope, frame: Buffer): boolean {
		const span = envelope.method === "notifications/cancelled" ? envelope.params?.requestId : undefined;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		if (id === undefined) return false;
		const loose = looseRequestId(id);
		const index = this.#line.findIndex(({ arrival }, at) => {
			const waiting = at < this.#begun ? undefined : idOf(arrival);
			return waiting !== undefined && looseRequestId(waiting) === loose;
		});
		if (index === -1) return false;
		for (const cancelled of this.#line.splice(index, 1)) this.#release(cancelled);
		return true;
	}
}
