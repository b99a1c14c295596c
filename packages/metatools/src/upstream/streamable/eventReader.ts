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
