import {
	type FrameEvent,
	NdjsonReader,
	type NotificationEnvelope,
	parseRequestId,
	type RequestEnvelope,
} from "libmcp/serve";
import { arrivalOf, OVERSIZE, readFrame } from "./arrival.ts";
import type { Line } from "./lineBuffer.ts";
import { plainFrame } from "./plainFrame.ts";
import { isWithinLimit, MAX_LINE_BYTES } from "./sizeLimit.ts";
import { Slab } from "./slab.ts";
import { type Answerer, type Flow, Turns, UNREADABLE } from "./turns.ts";

/** Handles everything a client sends: itself (`LocalClerk`), or through a worker (`HostedClerk`). */
export type Clerk = Answerer & {
	/** Whether the request is answered at once, ahead of the queue. */
	isUrgent(request: RequestEnvelope, frame: Buffer): boolean;
	notice(notification: NotificationEnvelope, frame: Buffer): void;
};

/** Receives the client's bytes: limits their size, refuses invalid frames, and has requests answered in order. */
export class Desk {
	readonly #clerk: Clerk;
	readonly #write: (line: Line) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_LINE_BYTES });
	readonly #slab = new Slab();
	readonly #turns: Turns;
	#closed: boolean = false;
	/** A notification or cancelled request was passed on whose bytes may still be in use. */
	#forsaken: boolean = false;

	constructor(clerk: Clerk, write: (line: Line) => void, flow: Flow) {
		this.#clerk = clerk;
		this.#write = write;
		this.#turns = new Turns(clerk, write, flow);
	}

	/** Whether somebody waits for an answer. */
	get busy(): boolean {
		return this.#turns.busy;
	}

	/** Where the next bytes may be put; `filled` then takes them. */
	room(): Buffer {
		return this.#slab.room((memory) => this.#turns.needs(memory));
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
		this.#turns.clear();
		await this.settled();
	}

	/** Starts no further request until `proceed`, because the client is not reading its answers. */
	hold(): void {
		this.#turns.hold();
	}

	proceed(): void {
		this.#turns.proceed();
	}

	/** Resolves when nobody waits any more. */
	settled(): Promise<void> {
		return this.#turns.settled();
	}

	#arrive(event: FrameEvent): void {
		if (isWithinLimit(event)) this.#read(event.bytes);
		else this.#turns.queue(OVERSIZE, OVERSIZE.text.length);
	}

	#read(frame: Buffer): void {
		const plain = plainFrame(frame);
		if (plain === undefined) this.#readFully(frame);
		else this.#turns.queue({ kind: "plain", plain, frame }, frame.length);
	}

	#readFully(frame: Buffer): void {
		const envelope = readFrame(frame);
		switch (envelope?.kind) {
			case "request":
				if (this.#clerk.isUrgent(envelope, frame)) this.#answerAtOnce(envelope, frame);
				else this.#turns.queue(arrivalOf(envelope, frame), frame.length);
				return;
			case "notification":
				if (this.#cancels(envelope, frame)) return;
				this.#forsaken = true;
				this.#clerk.notice(envelope, frame);
				return;
			case "invalid":
			case undefined:
				this.#turns.queue(arrivalOf(envelope, frame), frame.length);
				return;
			default:
				// An answer to nothing: this server asks its client no questions.
				return;
		}
	}

	#answerAtOnce(request: RequestEnvelope, frame: Buffer): void {
		this.#clerk.answer(request, frame, (answer) => {
			if (answer !== undefined && answer !== UNREADABLE) this.#write(answer);
		});
	}

	/** Whether it cancels a request before its turn. */
	#cancels({ method, params }: NotificationEnvelope, frame: Buffer): boolean {
		const span = method === "notifications/cancelled" ? params?.requestId : undefined;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		return id !== undefined && this.#turns.cancel(id);
	}
}
