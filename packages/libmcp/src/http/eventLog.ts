export type LoggedEvent = { readonly stream: number; readonly number: number; readonly text: string };

/** Memory limit shared by the logs of all sessions; when it is used up, each drops its oldest events sooner. */
export class EventBudget {
	readonly maxBytes: number;
	bytes = 0;

	constructor(maxBytes: number) {
		this.maxBytes = maxBytes;
	}
}

/** The last events of one session's streams, so that a client that lost its connection can read what it missed. */
export class EventLog {
	readonly #maxEvents: number;
	readonly #maxBytes: number;
	readonly #budget: EventBudget;
	#events: LoggedEvent[] = [];
	#bytes = 0;
	#next = 1;
	#forgotten = 0;

	constructor(
		limits: { readonly maxEvents: number; readonly maxBytes: number },
		budget: EventBudget = new EventBudget(Number.POSITIVE_INFINITY),
	) {
		this.#maxEvents = limits.maxEvents;
		this.#maxBytes = limits.maxBytes;
		this.#budget = budget;
	}

	/** Event ids name the stream, because a resumed stream may carry only what belonged to it. */
	add(stream: number, text: string): string {
		const number = this.#next++;
		this.#events.push({ stream, number, text });
		this.#count(text.length);
		while (this.#events.length > 0 && this.#isOver()) {
			const oldest = this.#events.shift();
			this.#count(-(oldest?.text.length ?? 0));
			this.#forgotten = oldest?.number ?? this.#forgotten;
		}
		return `${stream}-${number}`;
	}

	/** The events after this one on its stream; undefined when they are no longer known. */
	after(eventId: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
		const match = /^(\d{1,15})-(\d{1,15})$/.exec(eventId);
		const stream = Number(match?.[1]);
		const number = Number(match?.[2]);
		if (match === null || number < this.#forgotten || number >= this.#next) return undefined;
		return { stream, events: this.#events.filter((event) => event.stream === stream && event.number > number) };
	}

	/** Drops streams whose answers were delivered. */
	forget(streams: ReadonlySet<number>): void {
		const kept = this.#events.filter(({ stream }) => !streams.has(stream));
		this.#count(kept.reduce((bytes, { text }) => bytes + text.length, -this.#bytes));
		this.#events = kept;
	}

	/** The session is over. */
	clear(): void {
		this.#count(-this.#bytes);
		this.#events = [];
	}

	#isOver(): boolean {
		const { bytes, maxBytes } = this.#budget;
		return this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes || bytes > maxBytes;
	}

	#count(bytes: number): void {
		this.#bytes += bytes;
		this.#budget.bytes += bytes;
	}
}
