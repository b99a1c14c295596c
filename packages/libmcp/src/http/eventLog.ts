export type LoggedEvent = { readonly stream: number; readonly number: number; readonly text: string };

/** The last events of one session's streams, so that a client that lost its connection can read what it missed. */
export class EventLog {
	readonly #maxEvents: number;
	readonly #maxBytes: number;
	readonly #events: LoggedEvent[] = [];
	#bytes = 0;
	#next = 1;
	#forgotten = 0;

	constructor(limits: { readonly maxEvents: number; readonly maxBytes: number }) {
		this.#maxEvents = limits.maxEvents;
		this.#maxBytes = limits.maxBytes;
	}

	/** Event ids name the stream, because a resumed stream may carry only what belonged to it. */
	add(stream: number, text: string): string {
		const number = this.#next++;
		this.#events.push({ stream, number, text });
		this.#bytes += text.length;
		while (this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes) {
			const oldest = this.#events.shift();
			this.#bytes -= oldest?.text.length ?? 0;
			this.#forgotten = oldest?.number ?? this.#forgotten;
		}
		return `${stream}-${number}`;
	}

	/** What followed that event on its stream; undefined when that can no longer be told. */
	after(eventId: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
		const match = /^(\d{1,15})-(\d{1,15})$/.exec(eventId);
		const stream = Number(match?.[1]);
		const number = Number(match?.[2]);
		if (match === null || number < this.#forgotten || number >= this.#next) return undefined;
		return { stream, events: this.#events.filter((event) => event.stream === stream && event.number > number) };
	}

	/** The answer was delivered over a living connection: nobody will ask for that stream again. */
	forget(stream: number): void {
		for (let index = this.#events.length - 1; index >= 0; index--) {
			if (this.#events[index]?.stream !== stream) continue;
			this.#bytes -= this.#events[index]?.text.length ?? 0;
			this.#events.splice(index, 1);
		}
	}
}
