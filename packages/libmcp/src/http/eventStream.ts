import type { ServerResponse } from "node:http";
import type { EventLog } from "./eventLog.ts";

const HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
};

/** A client that lets this much output pile up is disconnected; it can resume from the log. */
const MOST_BACKLOG_BYTES = 16 * 1024 * 1024;

/** One stream of server-sent events. With a log, it survives its connection and can be resumed on another. */
export class EventStream {
	readonly id: number;
	readonly #log: EventLog | undefined;
	#response: ServerResponse | undefined;
	readonly #retryMs: number | undefined;
	readonly #onEnd: (() => void) | undefined;
	#ended: boolean = false;
	/**
	 * Sends the status, in one piece with the first event that is kept: a client that has the one without the other waits for
	 * ever if the connection breaks, while one that has nothing knows that nothing was promised.
	 */
	#head: (() => void) | undefined;
	/** Events that wait until they are kept, oldest first. */
	#unsent: { readonly number: number; readonly text: string }[] = [];
	/** When the stream ended over a connection. That connection may have broken before without our noticing. */
	deliveredAt: number | undefined;

	/** With `retryMs` the client gets an id to resume from, and a retry delay, before the first event. */
	constructor(id: number, log?: EventLog, retryMs?: number, onEnd?: () => void) {
		this.id = id;
		this.#log = log;
		this.#retryMs = retryMs;
		this.#onEnd = onEnd;
	}

	get ended(): boolean {
		return this.#ended;
	}
	/** Whether it has ended and nothing of it waits to be kept. */
	get isOver(): boolean {
		return this.#ended && this.#unsent.length === 0;
	}
	get attached(): boolean {
		return this.#response !== undefined;
	}

	/** Starts or continues over this connection. A previous connection is closed, so that no event is sent twice. */
	attach(response: ServerResponse, headers: Readonly<Record<string, string>> = {}, resumes = false): void {
		this.#head?.();
		this.#response?.end();
		this.#response = response;
		const head = (): void => {
			this.#head = undefined;
			response.writeHead(200, { ...HEADERS, ...headers });
		};
		const waits = !resumes && this.#retryMs !== undefined && this.#log?.isKept === true;
		if (waits) this.#head = head;
		else head();
		response.once("close", () => {
			if (this.#response !== response) return;
			this.#response = undefined;
			this.#head = undefined;
		});
		if (this.isOver) this.#finish();
		else if (this.#log !== undefined && this.#retryMs !== undefined && !resumes) {
			this.#sendKept(`id: ${this.#log.add(this.id, "")}\nretry: ${this.#retryMs}\ndata: \n\n`, this.#log);
		}
		if (!waits && !resumes) response.flushHeaders();
	}

	send(text: string): void {
		if (this.#ended) return;
		const id = this.#log === undefined ? "" : `id: ${this.#log.add(this.id, text)}\n`;
		const event = `${id}event: message\ndata: ${text}\n\n`;
		if (this.#log === undefined) this.#write(event);
		else this.#sendKept(event, this.#log);
	}

	/** Sends what has been kept since. */
	flush(): void {
		const written = this.#log?.written ?? Number.POSITIVE_INFINITY;
		while (this.#unsent[0] !== undefined && this.#unsent[0].number <= written)
			this.#write(this.#unsent.shift()?.text ?? "");
		if (this.#ended) this.#finish();
	}

	/** Continues over another connection, starting with the missed events under their original ids. */
	resume(
		response: ServerResponse,
		headers: Readonly<Record<string, string>>,
		events: readonly { readonly number: number; readonly text: string }[],
		lastEventId?: string,
	): void {
		const ended = this.#ended;
		this.#ended = false;
		this.attach(response, headers, true);
		this.#ended = ended;
		// Some clients forget where they were unless every connection tells them an id.
		if (lastEventId !== undefined && this.#retryMs !== undefined)
			this.#write(`id: ${lastEventId}\nretry: ${this.#retryMs}\ndata: \n\n`);
		for (const { number, text } of events) {
			if (text !== "") this.#write(`id: ${this.id}-${number}\nevent: message\ndata: ${text}\n\n`);
		}
		// Not before: a client that has only the head when the connection breaks forgets where it was.
		response.flushHeaders();
		if (ended) this.#finish();
	}

	keepAlive(): void {
		if (this.#head === undefined) this.#write(": keep-alive\n\n");
	}

	end(): void {
		if (this.#ended) return;
		this.#ended = true;
		this.#log?.end(this.id);
		this.#onEnd?.();
		this.#finish();
	}

	/** Closes the connection with nothing more; the client can resume elsewhere. */
	leave(): void {
		this.#unsent = [];
		if (this.#head !== undefined) this.#response?.destroy();
		this.#head = undefined;
		this.#response?.end();
		this.#response = undefined;
	}

	/** Gives back a connection on which nothing was sent. */
	detach(): void {
		this.#unsent = [];
		this.#head = undefined;
		this.#response = undefined;
	}

	#finish(): void {
		if (this.#unsent.length > 0) return;
		if (this.#response !== undefined) this.deliveredAt = performance.now();
		this.#head?.();
		this.#response?.end();
		this.#response = undefined;
	}

	/** Sends at once what is kept, and else after it is. */
	#sendKept(text: string, log: EventLog): void {
		if (log.last <= log.written) this.#write(text);
		else this.#unsent.push({ number: log.last, text });
	}

	#write(text: string): void {
		const response = this.#response;
		if (response === undefined || response.destroyed) return;
		this.#head?.();
		// Checked before the write, so that a single large event is not counted against the client.
		if (response.writableLength > MOST_BACKLOG_BYTES) response.destroy();
		else response.write(text);
	}
}
