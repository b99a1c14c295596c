import { looseRequestId, type RequestEnvelope, type RequestId } from "libmcp/serve";
import { type Arrival, findArrivalId, isInMemory, readAgain, restoreOwnId } from "./arrival.ts";
import { joinLine, type Line } from "./lines.ts";
import type { PlainFrame } from "./plainFrame.ts";

/** Answers requests, in this process or through a worker; replies to each exactly once. */
export type Answerer = {
	/** Whether the request may start before earlier ones are answered. Answers keep their order either way. */
	overlaps(plain: PlainFrame): boolean;
	/**
	 * `answerPlain` takes a plain request of which only the head was read, `answer` any request that was read in full.
	 * Both reply `UNREADABLE` if the frame is not JSON or must be read in full first.
	 */
	answerPlain(plain: PlainFrame, frame: Buffer, reply: (answer: Answer) => void): void;
	answer(request: RequestEnvelope, frame: Buffer, reply: (answer: Answer) => void): void;
};

export const UNREADABLE: unique symbol = Symbol("unreadable");
/** Undefined for a cancelled request, for which nothing is written. */
export type Answer = Line | undefined | typeof UNREADABLE;

/** Pauses and resumes the input that fills the queue. */
export type Flow = { pause(): void; resume(): void };

/** An arrival's place in the queue, kept until it and all before it are answered. */
type Place = { arrival: Arrival; readonly bytes: number; answered: boolean; answer: Answer };

// Input is paused while more than this waits for answers.
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
// Enough requests in flight to keep a worker busy while answers travel.
const MAX_BEGUN = 32;

/** The queue of unanswered requests: each is started when allowed, and answered in order of arrival. */
export class Turns {
	readonly #answerer: Answerer;
	readonly #write: (line: Line) => void;
	readonly #flow: Flow;
	/** All unanswered arrivals in order. The first `#begun` of them have started. */
	readonly #line: Place[] = [];
	#begun = 0;
	/** Whether the request now running must run alone. */
	#exclusive: boolean = false;
	#serving: boolean = false;
	#held: boolean = false;
	#waitingBytes: number = 0;
	#paused: boolean = false;
	#idle: (() => void) | undefined;

	constructor(answerer: Answerer, write: (line: Line) => void, flow: Flow) {
		this.#answerer = answerer;
		this.#write = write;
		this.#flow = flow;
	}

	/** Whether a request waits for its answer. */
	get busy(): boolean {
		return this.#line.length > 0;
	}

	/** Whether a frame in this memory still waits for its answer. */
	needs(memory: ArrayBufferLike): boolean {
		return this.#line.some(({ arrival }) => isInMemory(arrival, memory));
	}

	queue(arrival: Arrival, bytes: number): void {
		this.#line.push({ arrival, bytes, answered: false, answer: undefined });
		this.#waitingBytes += bytes;
		if (this.#waitingBytes > MAX_WAITING_BYTES && !this.#paused) {
			this.#paused = true;
			this.#flow.pause();
		}
		this.#serve();
	}

	/** Drops a request that has not started, without an answer; false if no such request has this id. */
	cancel(id: RequestId): boolean {
		const at = (is: (waiting: RequestId) => boolean): number =>
			this.#line.findIndex(({ arrival }, place) => {
				const waiting = place < this.#begun ? undefined : findArrivalId(arrival);
				return waiting !== undefined && is(waiting);
			});
		// Compare the exact spelling first: it almost always matches, and thousands may wait.
		const exact = at((waiting) => waiting === id);
		const loose = looseRequestId(id);
		const index = exact === -1 ? at((waiting) => looseRequestId(waiting) === loose) : exact;
		if (index === -1) return false;
		for (const cancelled of this.#line.splice(index, 1)) this.#release(cancelled);
		return true;
	}

	/** Drops every request that has not started. */
	clear(): void {
		this.#line.length = this.#begun;
	}

	/** Starts no further request until `proceed`, because the client is not reading its answers. */
	hold(): void {
		this.#held = true;
	}

	proceed(): void {
		this.#held = false;
		this.#serve();
	}

	/** Resolves when no request waits any more. */
	async settled(): Promise<void> {
		if (!this.busy) return;
		await new Promise<void>((resolve) => {
			this.#idle = resolve;
		});
	}

	/**
	 * Starts requests and writes answers until neither is possible. A synchronous answer calls this again; the loop
	 * already running then handles it.
	 */
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
		return arrival.kind === "refusal" || (arrival.kind === "plain" && this.#answerer.overlaps(arrival.plain));
	}

	#begin(place: Place): void {
		const { arrival } = place;
		this.#begun += 1;
		this.#exclusive =
			arrival.kind === "request" || (arrival.kind === "plain" && !this.#answerer.overlaps(arrival.plain));
		this.#ask(place);
	}

	#ask(place: Place): void {
		const { arrival } = place;
		switch (arrival.kind) {
			case "plain":
				this.#answerer.answerPlain(arrival.plain, arrival.frame, (answer) => this.#answered(place, answer));
				return;
			case "request":
				this.#answerer.answer(arrival.request, arrival.frame, (answer) => this.#answered(place, answer));
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
		place.answer = answer === undefined || answer === UNREADABLE || place === this.#line[0] ? answer : joinLine(answer);
		this.#serve();
	}

	#leave(place: Place): void {
		const { arrival, answer } = place;
		this.#line.shift();
		this.#begun -= 1;
		if (this.#begun === 0) this.#exclusive = false;
		if (answer !== undefined && answer !== UNREADABLE) this.#write(restoreOwnId(arrival, answer));
		this.#release(place);
	}

	#release({ bytes }: Place): void {
		this.#waitingBytes -= bytes;
		if (this.#paused && this.#waitingBytes < MAX_WAITING_BYTES / 2) {
			this.#paused = false;
			this.#flow.resume();
		}
	}
}
