import {
	type Envelope,
	type FrameEvent,
	looseRequestId,
	NdjsonReader,
	type Outlet,
	parseRequestId,
	type RequestEnvelope,
	RpcServer,
	RpcSession,
	scanEnvelope,
} from "libmcp";
import type { Assets } from "../assets.ts";
import type { JsonObject } from "../json/jsonValue.ts";
import { mayLoseDigits, parseJson } from "../json/parseJson.ts";
import { PAYLOAD_TOO_LARGE } from "../results.ts";
import { DESCRIPTION, mcpDispatcher } from "./mcpDispatcher.ts";
import { answerPlain, isPlainMethod, resultText } from "./plainDialect.ts";

/** The largest request, in UTF-8 bytes of its line. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

type Arrival = { readonly envelope: Envelope; readonly frame: Buffer } | "oversize";

/** One client on one pair of streams, in both dialects: requests are taken one at a time and answered in order. */
export class Conversation {
	readonly #assets: Assets;
	readonly #write: (line: string) => void;
	readonly #reader = new NdjsonReader({ maxFrameBytes: MAX_REQUEST_BYTES });
	readonly #session: RpcSession;
	readonly #waiting: Arrival[] = [];
	#current: { readonly request: RequestEnvelope; readonly frame: Buffer } | undefined;
	#idle: Promise<void> = Promise.resolve();
	#busy = false;

	constructor(assets: Assets, write: (line: string) => void) {
		this.#assets = assets;
		this.#write = write;
		const dispatcher = mcpDispatcher(assets, (params) => this.#argumentsOf(params));
		const server = new RpcServer({ dispatcher, description: DESCRIPTION });
		this.#session = new RpcSession(server, { id: "stdio", outlet: { emit: write } });
	}

	/** Takes bytes as they come; a line over the limit is never held. */
	push(chunk: Uint8Array): void {
		for (const event of this.#reader.push(chunk)) this.#arrive(event);
	}

	/** The client has closed its end: what it sent is answered, an unfinished last line included. */
	async end(): Promise<void> {
		for (const event of this.#reader.end()) this.#arrive(event);
		await this.#idle;
	}

	/** Finishes the request in flight and takes no other. */
	async stop(): Promise<void> {
		this.#waiting.length = 0;
		await this.#idle;
	}

	#arrive(event: FrameEvent): void {
		if (event.type === "oversize" || (event.type === "residue" && event.size > MAX_REQUEST_BYTES))
			this.#take("oversize");
		else if (event.type !== "bad-header") this.#takeFrame(event.bytes);
	}

	#takeFrame(frame: Buffer): void {
		const envelope = scanEnvelope(frame);
		const waits = envelope.kind === "invalid" || (envelope.kind === "request" && envelope.method !== "ping");
		if (waits) this.#take({ envelope, frame });
		else if (envelope.kind !== "notification" || !this.#cancelWaiting(envelope, frame))
			this.#session.receive(
				envelope,
				frame,
				this.#outlet(() => {}),
			);
	}

	#take(arrival: Arrival): void {
		this.#waiting.push(arrival);
		if (!this.#busy) this.#idle = this.#work();
	}

	async #work(): Promise<void> {
		this.#busy = true;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
			const pending = this.#answer(next);
			if (pending !== undefined) await pending;
		}
		this.#busy = false;
	}

	#answer(arrival: Arrival): Promise<void> | undefined {
		if (arrival === "oversize") {
			this.#write(resultText({ id: "null" }, PAYLOAD_TOO_LARGE));
			return undefined;
		}
		const { envelope, frame } = arrival;
		if (envelope.kind !== "request" || !isPlainMethod(envelope.method)) return this.#answerMcp(envelope, frame);
		const answer = answerPlain(envelope, frame, this.#assets);
		if (typeof answer !== "string") return answer.then(this.#write);
		this.#write(answer);
		return undefined;
	}

	#answerMcp(envelope: Envelope, frame: Buffer): Promise<void> {
		const done = Promise.withResolvers<void>();
		if (envelope.kind === "request") this.#current = { request: envelope, frame };
		this.#session.receive(envelope, frame, this.#outlet(done.resolve));
		return done.promise;
	}

	#outlet(finished: () => void): Outlet {
		return {
			emit: this.#write,
			finish: (answer) => {
				if (answer !== undefined) this.#write(answer.text);
				finished();
			},
		};
	}

	// The session has parsed the arguments as doubles; where that may have lost digits they are read again.
	#argumentsOf(params: JsonObject): unknown {
		const { request, frame } = this.#current ?? {};
		const span = request?.params?.arguments;
		if (frame === undefined || span === undefined) return params.arguments;
		const text = frame.toString("utf8", span.start, span.end);
		return mayLoseDigits(text) ? parseJson(text) : params.arguments;
	}

	/** A request cancelled before its turn is dropped without an answer. */
	#cancelWaiting(envelope: Extract<Envelope, { kind: "notification" }>, frame: Buffer): boolean {
		const span = envelope.method === "notifications/cancelled" ? envelope.params?.requestId : undefined;
		const id = span && parseRequestId(frame.toString("utf8", span.start, span.end));
		if (id === undefined) return false;
		const index = this.#waiting.findIndex(
			(arrival) =>
				arrival !== "oversize" &&
				arrival.envelope.kind === "request" &&
				looseRequestId(arrival.envelope.id) === looseRequestId(id),
		);
		if (index === -1) return false;
		this.#waiting.splice(index, 1);
		return true;
	}
}
