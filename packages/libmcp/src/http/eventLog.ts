import { isAwaited } from "../server/protocol/outlet.ts";
import type { SessionJournal } from "../sessions/sessionJournal.ts";

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

/** Where events are kept beyond this process; one is sent only after it is written there. */
export type EventJournal = Pick<SessionJournal, "addEvent" | "dropEvents" | "dropAwaited" | "forget">;

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
	#journal: EventJournal | undefined;
	#written: number = Number.POSITIVE_INFINITY;

	constructor(limits: LogLimits, budget: EventBudget = new EventBudget(Number.POSITIVE_INFINITY)) {
		this.#limits = limits;
		this.#budget = budget;
	}

	/** The events up to this number may be sent. */
	get written(): number {
		return this.#written;
	}
	/** Whether events are kept beyond this process. */
	get isKept(): boolean {
		return this.#journal !== undefined;
	}
	/** The number of the newest event. */
	get last(): number {
		return this.#next - 1;
	}

	/** From now on every event is written to the journal; those of before, which were sent, as well. */
	keepIn(journal: EventJournal): void {
		this.#journal = journal;
		this.#written = this.last;
		for (const { stream, number, text } of this.#events) journal.addEvent(stream, number, text);
	}

	/** The session is not kept any longer. */
	keepNothing(): void {
		this.#journal = undefined;
		this.#written = Number.POSITIVE_INFINITY;
	}

	/** The journal has written the events up to this number. */
	wrote(number: number): void {
		this.#written = Math.max(this.#written, number);
	}

	/** Takes over what was kept of a session's events; new ones get numbers that were never given out. */
	restore(kept: RestoredEvents, journal: EventJournal): void {
		for (const stream of kept.streams) this.#gone.set(stream, kept.gone[stream] ?? 0);
		for (const event of kept.events) {
			this.#events.push(event);
			this.#gone.set(event.stream, kept.gone[event.stream] ?? 0);
			this.#count(event.text, 1);
		}
		this.#next = kept.nextNumber;
		this.#written = this.last;
		this.#journal = journal;
		this.#budget.logs.add(this);
		this.#budget.makeRoom();
	}

	/** The event id names the stream, because a resumed stream may carry only its own events. */
	add(stream: number, text: string): string {
		const number = this.#next++;
		if (!this.#gone.has(stream)) this.#gone.set(stream, 0);
		this.#events.push({ stream, number, text });
		this.#journal?.addEvent(stream, number, text);
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

	/** What is kept of a stream and may be sent. */
	of(stream: number): readonly LoggedEvent[] {
		return this.#events.filter((event) => event.stream === stream && event.number <= this.#written);
	}

	/** Marks a stream as complete; it can be resumed as long as one of its events is kept. */
	end(stream: number): void {
		this.#over.add(stream);
		this.#discardEmpty(stream);
	}

	/** Drops streams whose answers were delivered. */
	forget(streams: ReadonlySet<number>): void {
		const forgotten = this.#events.filter(({ stream }) => streams.has(stream));
		for (const { text } of forgotten) this.#count(text, -1);
		this.#journal?.dropEvents(forgotten.map(({ number }) => number));
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
		if (kind === "awaited") {
			this.#gone.set(oldest.stream, oldest.number);
			this.#journal?.dropAwaited(oldest.stream, oldest.number);
		} else this.#journal?.dropEvents([oldest.number]);
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
		this.#journal?.forget(stream);
	}

	#count(text: string, sign: 1 | -1): void {
		const kept = this.#kept[kindOf(text)];
		kept.events += sign;
		kept.bytes += sign * text.length;
		this.#budget.bytes += sign * text.length;
	}
}

/** A session's events as they were kept. */
export type RestoredEvents = {
	readonly events: readonly LoggedEvent[];
	readonly gone: Readonly<Record<number, number>>;
	/** Those that can be resumed even if none of their events is kept. */
	readonly streams: readonly number[];
	readonly nextNumber: number;
};

function kindOf(text: string): Kind {
	return isAwaited(text) ? "awaited" : "news";
}
