import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { readEvents } from "./readAnswer.ts";

/** One server-sent event. */
export type ServerEvent = { readonly type: string; readonly data: string };

const LINE_END = /[\r\n]/g;

/** Reads server-sent events out of text that may be cut anywhere. */
export class EventReader {
	/** The id to resume from: the last one that came with a complete event. */
	lastEventId: string | undefined;
	/** The reconnection delay that the server asked for. */
	retryMs: number | undefined;
	readonly #maxChars: number;
	#line = "";
	#begun: boolean = false;
	#afterCr: boolean = false;
	#chars = 0;
	#id: string | undefined;
	#type = "";
	#data: string | undefined;

	constructor(maxChars: number, lastEventId?: string) {
		this.#maxChars = maxChars;
		this.lastEventId = lastEventId;
		this.#id = lastEventId;
	}

	/** The events this text completes. Throws when one has more characters than allowed. */
	push(text: string): readonly ServerEvent[] {
		if (text === "") return [];
		const events: ServerEvent[] = [];
		let at = (this.#afterCr && text.startsWith("\n")) || (!this.#begun && text.startsWith("\ufeff")) ? 1 : 0;
		this.#begun = true;
		this.#afterCr = text.endsWith("\r");
		for (;;) {
			LINE_END.lastIndex = at;
			const end = LINE_END.exec(text)?.index;
			this.#count((end ?? text.length) - at);
			if (end === undefined) {
				this.#line += text.slice(at);
				return events;
			}
			const event = this.#take(this.#line + text.slice(at, end));
			if (event !== undefined) events.push(event);
			this.#line = "";
			at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
		}
	}

	#count(chars: number): void {
		this.#chars += chars;
		if (this.#chars > this.#maxChars) throw new OversizeError(this.#maxChars);
	}

	#take(line: string): ServerEvent | undefined {
		if (line === "") return this.#dispatch();
		const colon = line.indexOf(":");
		const name = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
		if (name === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
		else if (name === "event") this.#type = value;
		else if (name === "id" && !value.includes("\0")) this.#id = value === "" ? undefined : value;
		else if (name === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
		return undefined;
	}

	#dispatch(): ServerEvent | undefined {
		const event = this.#data === undefined || this.#data === "" ? undefined : { type: this.#type, data: this.#data };
		this.lastEventId = this.#id;
		this.#type = "";
		this.#data = undefined;
		this.#chars = 0;
		return event;
	}
}

/** Thrown when the server sends a message over the size limit. */
export class OversizeError extends Error {
	override readonly name = "OversizeError";

	constructor(maxBytes: number) {
		super(`a message of over ${maxBytes} bytes; at most ${maxBytes} are read`);
	}
}

type FollowOptions = {
	/** Opens the stream, or resumes it after that event; undefined if the server offers none. */
	reopen(lastEventId: string | undefined): Promise<IncomingMessage | undefined>;
	onEvent(event: ServerEvent): void;
	/** Whether everything expected has arrived. */
	isOver(): boolean;
	/** A standing stream is always reopened; any other only if the server gave an id to resume from. */
	readonly standing: boolean;
	readonly maxChars: number;
	readonly signal: AbortSignal;
};

const FIRST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 30_000;
const MOST_FAILURES = 2;
const FEW_EVENTS = 1;

/** Reads a stream of events to its end, reconnecting as often as needed. Rejects when it cannot be resumed. */
export async function followStream(first: IncomingMessage | undefined, options: FollowOptions): Promise<void> {
	const { standing, signal } = options;
	let response = first;
	let lastEventId: string | undefined;
	let retryMs: number | undefined;
	let problem: unknown;
	for (let inVain = 0; ; ) {
		if (response !== undefined) {
			const reader = new EventReader(options.maxChars, lastEventId);
			const opened = performance.now();
			let events = 0;
			const onEvent = (event: ServerEvent): void => {
				events++;
				options.onEvent(event);
			};
			problem = await readEvents(response, reader, onEvent).then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			if (problem instanceof OversizeError) throw problem;
			lastEventId = reader.lastEventId;
			retryMs = reader.retryMs ?? retryMs;
			// Some servers offer a stream that they end at once, or after each event, however often they are asked.
			const isUseless = standing && performance.now() - opened < usefulAfter(events);
			inVain = isUseless ? inVain + 1 : 0;
		}
		if (options.isOver() || signal.aborted) return;
		if (!standing && (lastEventId === undefined || inVain > MOST_FAILURES)) throw problem ?? unanswered();
		await delay(pause(retryMs, inVain), undefined, { signal, ref: false }).catch(() => {});
		if (options.isOver() || signal.aborted) return;
		try {
			response = await options.reopen(lastEventId);
			if (response === undefined) {
				if (standing) return;
				throw unanswered();
			}
		} catch (thrown) {
			response = undefined;
			problem = thrown;
			inVain++;
			// The server may not have kept the events after that id, but it can still send new ones.
			if (standing) lastEventId = undefined;
		}
	}
}

/** How long a standing stream must last not to count as opened in vain. */
function usefulAfter(events: number): number {
	if (events === 0) return LONGEST_PAUSE_MS;
	return events <= FEW_EVENTS ? FIRST_PAUSE_MS : 0;
}

function pause(retryMs: number | undefined, attempts: number): number {
	const wished = Math.max(SHORTEST_PAUSE_MS, retryMs ?? FIRST_PAUSE_MS);
	return Math.min(LONGEST_PAUSE_MS, wished * 1.5 ** Math.max(0, attempts - 1));
}

function unanswered(): Error {
	return Object.assign(new Error("the server ended the stream without an answer"), { code: "ECONNRESET" });
}
