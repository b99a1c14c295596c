export type LoggedEvent = { readonly stream: number; readonly number: number; readonly text: string };

/** Memory limit shared by the logs of all sessions; once it is reached, each log drops its oldest events sooner. */
export class EventBudget {
	readonly maxBytes: number;
	bytes = 0;

	constructor(maxBytes: number) {
		this.maxBytes = maxBytes;
	}
}

/** The latest events of one session's streams, for clients that reconnect and missed some. */
export class EventLog {
	readonly #maxEvents: number;
	readonly #maxBytes: number;
	readonly #budget: EventBudget;
	#events: LoggedEvent[] = [];
	#bytes = 0;
	#next = 1;
	/** For each stream, the number of its last dropped event; 0 while none is dropped. */
	readonly #gone = new Map<number, number>();
	/** Streams that will have no more events. */
	readonly #over = new Set<number>();

	constructor(
		limits: { readonly maxEvents: number; readonly maxBytes: number },
		budget: EventBudget = new EventBudget(Number.POSITIVE_INFINITY),
	) {
		this.#maxEvents = limits.maxEvents;
		this.#maxBytes = limits.maxBytes;
		this.#budget = budget;
	}

	/** The event id names the stream, because a resumed stream may carry only its own events. */
	add(stream: number, text: string): string {
		const number = this.#next++;
		if (!this.#gone.has(stream)) this.#gone.set(stream, 0);
		this.#events.push({ stream, number, text });
		this.#count(text.length);
		while (this.#isFull()) this.#dropOldest();
		return `${stream}-${number}`;
	}

	/** The events that follow this one on its stream; undefined when one of them was dropped or the stream is unknown. */
	after(eventId: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
		const match = /^(\d{1,15})-(\d{1,15})$/.exec(eventId);
		const stream = Number(match?.[1]);
		const number = Number(match?.[2]);
		const gone = this.#gone.get(stream);
		if (gone === undefined || number < gone || number >= this.#next) return undefined;
		return { stream, events: this.#events.filter((event) => event.stream === stream && event.number > number) };
	}

	/** Marks a stream as complete; it can be resumed as long as one of its events is kept. */
	end(stream: number): void {
		this.#over.add(stream);
		this.#discardEmpty(stream);
	}

	/** Drops streams whose answers were delivered. */
	forget(streams: ReadonlySet<number>): void {
		const kept = this.#events.filter(({ stream }) => !streams.has(stream));
		this.#count(kept.reduce((bytes, { text }) => bytes + text.length, -this.#bytes));
		this.#events = kept;
		for (const stream of streams) this.#discardEmpty(stream);
	}

	/** The session is over. */
	clear(): void {
		this.#count(-this.#bytes);
		this.#events = [];
	}

	#isFull(): boolean {
		const { bytes, maxBytes } = this.#budget;
		if (this.#events.length === 0) return false;
		return this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes || bytes > maxBytes;
	}

	#dropOldest(): void {
		const oldest = this.#events.shift();
		if (oldest === undefined) return;
		this.#count(-oldest.text.length);
		this.#gone.set(oldest.stream, oldest.number);
		this.#discardEmpty(oldest.stream);
	}

	#discardEmpty(stream: number): void {
		if (!this.#over.has(stream) || this.#events.some((event) => event.stream === stream)) return;
		this.#gone.delete(stream);
		this.#over.delete(stream);
	}

	#count(bytes: number): void {
		this.#bytes += bytes;
		this.#budget.bytes += bytes;
	}
}
