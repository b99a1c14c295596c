import type { ServerResponse } from "node:http";
import type { ReplayContract } from "../replay/decide.ts";
import type { Answer, Outlet } from "../server/protocol/outlet.ts";
import type { CallRecord } from "./callRecord.ts";
import type { EventStream } from "./eventStream.ts";
import { HttpRefusal, refuse } from "./front/refusal.ts";

const UNKEPT = "what must outlive this process cannot be stored now";

export type PostReplyOptions = {
	/** Opens the stream that this reply becomes with its first event; undefined if the client accepts JSON only. */
	readonly openStream: (() => EventStream) | undefined;
	/** Whether a result is sent as a stream even if nothing comes before it. */
	readonly mustStream?: boolean;
	/** Takes events that cannot be sent with this reply. */
	readonly overflow?: Pick<Outlet, "emit" | "reaches">;
	/** Called when the headers are sent. */
	readonly headers?: () => Readonly<Record<string, string>>;
	/** The HTTP status when the answer is a single JSON body. */
	readonly statusOf?: (answer: Answer) => number;
	readonly onFinished?: () => void;
	/** The request in the ledger of calls, if there is one. */
	readonly record?: CallRecord | undefined;
	/** After this time without an answer it becomes a stream, so that the client can come back for it. */
	readonly streamAfterMs?: number | undefined;
	/** What must be kept before the client is answered, with one body or on a stream. */
	readonly kept?: (answer: Answer | undefined, isStream: boolean) => Promise<void> | undefined;
};

/** The reply to one POST: a JSON body, or an event stream if anything must be sent before the answer. */
export class PostReply implements Outlet {
	readonly #response: ServerResponse;
	readonly #options: PostReplyOptions;
	#stream: EventStream | undefined;
	readonly since: number = performance.now();
	readonly #patience: NodeJS.Timeout | undefined;

	constructor(response: ServerResponse, options: PostReplyOptions) {
		this.#response = response;
		this.#options = options;
		if (options.openStream !== undefined && options.streamAfterMs !== undefined)
			this.#patience = setTimeout(() => this.stream(), options.streamAfterMs);
	}

	emit(text: string): void {
		const stream = this.stream();
		if (stream === undefined) this.#options.overflow?.emit(text);
		else stream.send(text);
	}

	reaches(): boolean {
		return this.#options.openStream !== undefined || this.#options.overflow?.reaches?.() === true;
	}

	dispatching(contract: ReplayContract): Promise<void> | undefined {
		return this.#options.record?.dispatching(contract);
	}

	finish(answer: Answer | undefined): void {
		clearTimeout(this.#patience);
		const kept = this.#options.kept?.(answer, this.#stream !== undefined);
		if (kept === undefined) this.#send(answer);
		else
			kept.then(
				() => this.#send(answer),
				() => this.#refuse(),
			);
	}

	/** A session that could not be kept was never opened. */
	#refuse(): void {
		this.#options.onFinished?.();
		if (this.#response.headersSent) this.#stream?.leave();
		else {
			this.#stream?.detach();
			refuse(this.#response, new HttpRefusal("STORE_UNAVAILABLE", UNKEPT, { "retry-after": "5" }));
		}
	}

	#send(answer: Answer | undefined): void {
		this.#options.onFinished?.();
		if (this.#options.mustStream === true && answer !== undefined && answer.errorCode === undefined) this.stream();
		if (this.#stream !== undefined) {
			if (answer !== undefined) this.#stream.send(answer.text);
			this.#stream.end();
			return;
		}
		if (this.#response.headersSent || this.#response.destroyed) return;
		if (answer === undefined) {
			this.#response.writeHead(202, this.#options.headers?.()).end();
			return;
		}
		this.#response.writeHead(this.#options.statusOf?.(answer) ?? 200, {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(answer.text),
			...this.#options.headers?.(),
		});
		this.#response.end(answer.text);
	}

	/** Turns the reply into a stream, if the client accepts one. */
	stream(): EventStream | undefined {
		if (this.#stream === undefined && this.#options.openStream !== undefined) {
			this.#stream = this.#options.openStream();
			this.#stream.attach(this.#response, this.#options.headers?.());
		}
		return this.#stream;
	}
}
