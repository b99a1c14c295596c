import { isAwaited } from "../server/outlet.ts";

export type LoggedEvent = { readonly stream: number; readonly number: number; readonly text: string };

/** Memory limit shared by the logs of all sessions. */
export class EventBudget {
	readonly maxBytes: number;
	bytes = 0;
	/** All that hold events. */
	readonly logs: Set<EventLog> = new Set();

	constructor(maxBytes: number) {
		this.maxBytes = maxBytes;
	}

	/** Drops from the logs that hold most, so that a session with large answers takes nothing from the others. */
	makeRoom(): void {
		while (this.bytes > this.maxBytes) {
			const talkative = this.#fullest("news");
			if (talkative !== undefined) talkative.dropOldest("news");
			else this.#fullest("awaited")?.dropOldest("awaited");
		}
	}

	#fullest(kind: Kind): EventLog | undefined {
		let fullest: EventLog | undefined;
		for (const log of this.logs) if (log.bytes(kind) > (fullest?.bytes(kind) ?? 0)) fullest = log;
		return fullest;
	}
}

export type LogLimits = {
	/** Applies to notifications, and as much to messages that somebody awaits. */
	readonly maxEvents: number;
	/** For notifications together. */
	readonly maxBytes: number;
	/** For answers and questions together; the newest is kept even if it alone is larger, while the budget lasts. */
	readonly maxAwaitedBytes: number;
};

type Kind = "news" | "awaited";

/** The latest events of one session's streams, for clients that reconnect and missed some. Notifications go first. */
export class EventLog {
	readonly #limits: LogLimits;
	readonly #budget: EventBudget;
	#events: LoggedEvent[] = [];
	readonly #kept: Record<Kind, { events: number; bytes: number }> = {
		news: { events: 0, bytes: 0 },
		awaited: { events: 0, bytes: 0 },
	};
	#next = 1;
	/** For each stream, the number of the last dropped event that somebody awaits; 0 while none is dropped. */
	readonly #gone = new Map<number, number>();
	/** Streams that will have no more events. */
	readonly #over = new Set<number>();

	constructor(limits: LogLimits, budget: EventBudget = new EventBudget(Number.POSITIVE_INFINITY)) {
		this.#limits = limits;
		this.#budget = budget;
	}

	/** The event id names the stream, because a resumed stream may carry only its own events. */
	add(stream: number, text: string): string {
		const number = this.#next++;
		if (!this.#gone.has(stream)) this.#gone.set(stream, 0);
		this.#events.push({ stream, number, text });
		this.#count(text, 1);
		while (this.#isFull(kindOf(text))) this.dropOldest(kindOf(text));
		this.#budget.logs.add(this);
		this.#budget.makeRoom();
		return `${stream}-${number}`;
	}

	/** What is kept of the events after this one on its stream; undefined if one that somebody awaits was dropped. */
	after(eventId: string): { readonly stream: number; readonly events: readonly LoggedEvent[] } | undefined {
		const match = /^(\d{1,15})-(\d{1,15})$/.exec(eventId);
		const stream = Number(match?.[1]);
		const number = Number(match?.[2]);
		const gone = this.#gone.get(stream);
		if (gone === undefined || number < gone || number >= this.#next) return undefined;
		return { stream, events: this.of(stream).filter((event) => event.number > number) };
	}

	/** What is kept of a stream. */
	of(stream: number): readonly LoggedEvent[] {
		return this.#events.filter((event) => event.stream === stream);
	}

	/** Marks a stream as complete; it can be resumed as long as one of its events is kept. */
	end(stream: number): void {
		this.#over.add(stream);
		this.#discardEmpty(stream);
	}

	/** Drops streams whose answers were delivered. */
	forget(streams: ReadonlySet<number>): void {
		for (const { stream, text } of this.#events) if (streams.has(stream)) this.#count(text, -1);
		this.#events = this.#events.filter(({ stream }) => !streams.has(stream));
		for (const stream of streams) this.#discardEmpty(stream);
	}

	/** The session is over. */
	clear(): void {
		for (const { text } of this.#events) this.#count(text, -1);
		this.#events = [];
		this.#budget.logs.delete(this);
	}

	bytes(kind: Kind): number {
		return this.#kept[kind].bytes;
	}

	dropOldest(kind: Kind): void {
		const index = this.#events.findIndex(({ text }) => kindOf(text) === kind);
		const [oldest] = this.#events.splice(index, 1);
		if (oldest === undefined) return;
		this.#count(oldest.text, -1);
		if (kind === "awaited") this.#gone.set(oldest.stream, oldest.number);
		this.#discardEmpty(oldest.stream);
	}

	#isFull(kind: Kind): boolean {
		const { events, bytes } = this.#kept[kind];
		const { maxEvents, maxBytes, maxAwaitedBytes } = this.#limits;
		if (events > maxEvents) return true;
		return kind === "news" ? bytes > maxBytes : events > 1 && bytes > maxAwaitedBytes;
	}

	#discardEmpty(stream: number): void {
		if (!this.#over.has(stream) || this.#events.some((event) => event.stream === stream)) return;
		this.#gone.delete(stream);
		this.#over.delete(stream);
	}

	#count(text: string, sign: 1 | -1): void {
		const kept = this.#kept[kindOf(text)];
		kept.events += sign;
		kept.bytes += sign * text.length;
		this.#budget.bytes += sign * text.length;
	}
}

function kindOf(text: string): Kind {
	return isAwaited(text) ? "awaited" : "news";
}
