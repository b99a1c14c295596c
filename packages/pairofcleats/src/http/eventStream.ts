import type { ServerResponse } from "node:http";
import { type Envelope, success } from "../contract/envelope.ts";
import { writeEnvelope } from "../searching/writtenEnvelope.ts";

const KEEP_ALIVE_MS = 15_000;
/** A client that lets this much output pile up is disconnected. */
const MOST_BACKLOG_BYTES = 16 * 1024 * 1024;

export type EventName = "start" | "progress" | "result" | "error" | "done";

/** A response sent as server-sent events, each carrying an envelope; `done` is always the last. */
export class EventStream {
	readonly #response: ServerResponse;
	readonly #requestId: string;
	readonly #keepAlive: NodeJS.Timeout;

	constructor(response: ServerResponse, requestId: string, keepAliveMs: number = KEEP_ALIVE_MS) {
		this.#response = response;
		this.#requestId = requestId;
		response.writeHead(200, {
			"content-type": "text/event-stream",
			"cache-control": "no-cache",
			"x-accel-buffering": "no",
		});
		response.flushHeaders();
		this.#keepAlive = setInterval(() => this.#write(": keep-alive\n\n"), keepAliveMs);
		response.once("close", () => clearInterval(this.#keepAlive));
	}

	send(event: EventName, envelope: Envelope): void {
		this.#write(`event: ${event}\ndata: ${writeEnvelope(envelope).text}\n\n`);
	}

	tell(event: "start" | "progress", result: Readonly<Record<string, unknown>>): void {
		this.send(event, success(result, { requestId: this.#requestId }));
	}

	/** Sends the outcome and ends the stream. */
	finish(envelope: Envelope): void {
		this.send(envelope.ok ? "result" : "error", envelope);
		this.send("done", success({}, { requestId: this.#requestId }));
		clearInterval(this.#keepAlive);
		this.#response.end();
	}

	#write(text: string): void {
		if (this.#response.destroyed || this.#response.writableEnded) return;
		this.#response.write(text);
		if (this.#response.writableLength > MOST_BACKLOG_BYTES) this.#response.destroy();
	}
}
