import {
	batchItems,
	type FrameEvent,
	type InvalidEnvelope,
	NdjsonReader,
	type NotificationEnvelope,
	parseRequestId,
	type RequestEnvelope,
} from "libmcp/serve";
import { readArrival, readFrame } from "./arrival.ts";
import { isWithinLimit, type Line, MAX_LINE_BYTES } from "./lines.ts";
import { refuseOversize } from "./oversizeRefusal.ts";
import { readPlainFrame } from "./plainFrame.ts";
import { type Answerer, type Flow, Turns, UNREADABLE } from "./turns.ts";

// The path of one frame: `StdioFrontEnd` cuts the input into lines and reads each as a request (`plainFrame.ts` reads only
// the head, `arrival.ts` the whole envelope), a notification or a refusal. Requests and refusals wait in `Turns`, which
// decides what may run concurrently and writes answers in order of arrival. A `RequestHandler` answers each request:
// `InProcessHandler` runs the tool, `HostHandler` forwards the frame to a worker, which has a front end and an in-process
// handler of its own. A handler that cannot use a frame read only by its head replies `UNREADABLE`; `Turns` then reads the
// frame in full and asks again.

/** Handles everything a client sends, in this process (`InProcessHandler`) or through a worker (`HostHandler`). */
export type RequestHandler = Answerer & {
	/** Whether the request is answered at once, ahead of the queue. */
	isUrgent(request: RequestEnvelope, frame: Buffer): boolean;
	notice(notification: NotificationEnvelope, frame: Buffer): void;
	/** Whether the client speaks a revision of MCP that has batches; the plain dialect has none. */
	takesBatches(): boolean;
};

/** Reads the client's bytes, limits the size of lines, refuses invalid frames, and has requests answered in order. */
export class StdioFrontEnd {
	readonly #handler: RequestHandler;
	readonly #write: (line: Line) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_LINE_BYTES });
	readonly #slab = new Slab();
	readonly #turns: Turns;
	#closed: boolean = false;
	/** Whether the handler may still use bytes of a notification or of the request it cancels, so keep their memory. */
	#isLent: boolean = false;

	constructor(handler: RequestHandler, write: (line: Line) => void, flow: Flow) {
		this.#handler = handler;
		this.#write = write;
		this.#turns = new Turns(handler, write, flow);
	}

	/** Whether a request waits for its answer. */
	get busy(): boolean {
		return this.#turns.busy;
	}

	/** The memory for the next read. Call `filled` when the bytes are there. */
	room(): Buffer {
		return this.#slab.room((memory) => this.#turns.needs(memory));
	}

	filled(bytes: number): void {
		this.push(this.#slab.take(bytes));
		if (this.busy || this.#reader.held > 0) return;
		if (this.#isLent) this.#slab.abandon();
		else this.#slab.reuse();
		this.#isLent = false;
	}

	/** Accepts the next bytes, however they are split. A line over the limit is not kept. */
	push(chunk: Uint8Array): void {
		if (this.#closed) return;
		for (const event of this.#reader.push(chunk)) this.#arrive(event);
	}

	/** Call when the client has closed its end. Answers everything it sent, even a last line without a newline. */
	async end(): Promise<void> {
		for (const event of this.#reader.end()) this.#arrive(event);
		await this.settled();
	}

	/** Finishes the requests already started and drops the rest. */
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

	/** Resolves when no request waits any more. */
	settled(): Promise<void> {
		return this.#turns.settled();
	}

	#arrive(event: FrameEvent): void {
		if (isWithinLimit(event)) {
			this.#read(event.bytes);
			return;
		}
		const refusal = refuseOversize(event);
		this.#turns.queue(refusal, refusal.text.length);
	}

	#read(frame: Buffer): void {
		const plain = readPlainFrame(frame);
		if (plain === undefined) this.#readFully(frame);
		else this.#turns.queue({ kind: "plain", plain, frame }, frame.length);
	}

	#readFully(frame: Buffer): void {
		const envelope = readFrame(frame);
		switch (envelope?.kind) {
			case "request":
				if (this.#handler.isUrgent(envelope, frame)) this.#answerAtOnce(envelope, frame);
				else this.#turns.queue(readArrival(envelope, frame), frame.length);
				return;
			case "notification":
				if (this.#cancels(envelope, frame)) return;
				this.#isLent = true;
				this.#handler.notice(envelope, frame);
				return;
			case "invalid":
				if (envelope.reason === "batch" && this.#handler.takesBatches()) this.#readBatch(envelope, frame);
				else this.#turns.queue(readArrival(envelope, frame), frame.length);
				return;
			case undefined:
				this.#turns.queue(readArrival(envelope, frame), frame.length);
				return;
			default:
				// A response, which cannot be expected: this server sends its client no requests.
				return;
		}
	}

	/** Each message of a batch gets an answer of its own, in its turn. */
	#readBatch(batch: InvalidEnvelope, frame: Buffer): void {
		const messages = batchItems(frame);
		if (messages.length === 0) this.#turns.queue(readArrival(batch, frame), frame.length);
		for (const message of messages) {
			const envelope = readFrame(message);
			// A batch in a batch is none.
			if (envelope?.kind === "invalid") this.#turns.queue(readArrival(envelope, message), message.length);
			else this.#readFully(message);
		}
	}

	#answerAtOnce(request: RequestEnvelope, frame: Buffer): void {
		this.#handler.answer(request, frame, (answer) => {
			if (answer !== undefined && answer !== UNREADABLE) this.#write(answer);
		});
	}

	/** Drops a request that has not started, if the notification cancels one; false otherwise. */
	#cancels({ method, params }: NotificationEnvelope, frame: Buffer): boolean {
		const span = method === "notifications/cancelled" ? params?.requestId : undefined;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		return id !== undefined && this.#turns.cancel(id);
	}
}

const SLAB_BYTES = 1024 * 1024;
// A read into less room than this is not worth its cost.
const LEAST_ROOM = 64 * 1024;

/**
 * The memory that input is read into. Each read follows the one before, so a frame that arrives in pieces is still
 * contiguous. Two blocks of memory alternate, so that reading makes no garbage.
 */
class Slab {
	#memory: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#spare: Buffer | undefined;
	#used = 0;

	/** The memory for the next read. `isNeeded` says whether an older block is still in use. */
	room(isNeeded: (memory: ArrayBufferLike) => boolean): Buffer {
		if (SLAB_BYTES - this.#used < LEAST_ROOM) {
			const full = this.#memory;
			const spare = this.#spare === undefined || isNeeded(this.#spare.buffer) ? undefined : this.#spare;
			this.#memory = spare ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
			this.#spare = full;
			this.#used = 0;
		}
		return this.#memory.subarray(this.#used);
	}

	/** The bytes that the last read has put into the room. */
	take(bytes: number): Buffer {
		const chunk = this.#memory.subarray(this.#used, this.#used + bytes);
		this.#used += bytes;
		return chunk;
	}

	/** Lets the next read overwrite everything read so far. */
	reuse(): void {
		this.#used = 0;
	}

	/** Stops reusing this memory, because it is unknown how long it will be needed. */
	abandon(): void {
		this.#memory = Buffer.allocUnsafeSlow(SLAB_BYTES);
		this.#spare = undefined;
		this.#used = 0;
	}
}
