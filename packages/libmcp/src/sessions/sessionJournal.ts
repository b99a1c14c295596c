import type { ReplayContract } from "../replay/decide.ts";
import type { Durability, Fence, SessionRow, Store, Write } from "../store/store.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import type { World } from "../world/world.ts";
import type { KeptState } from "./keptSession.ts";
import type { Seal } from "./seal.ts";

/** Where and as whom sessions are kept. */
export type Keeping = Partial<Writer> & {
	readonly store: Store;
	readonly world: World;
	/** The endpoint that the sessions belong to, such as its path. */
	readonly scope: string;
};

/** As whom this process writes. Without a fence, it is trusted to be the only one. */
export type Writer = {
	/** The node of a fleet. */
	readonly owner: string | undefined;
	readonly fence: Fence | undefined;
};

export type JournalEvents = {
	/** Everything noted up to now is written, the events up to this number among it. */
	onWritten(lastEvent: number): void;
	/** Nothing can be written any more: somebody else owns the session, or its store is gone. */
	onLost(problem: StoreProblem): void;
};

const RETRY_MS = 1_000;
/** What may wait for a store that does not take it, before the session ends. */
const MOST_WAITING = 4_096;
const MOST_WAITING_CHARS = 32 * 1024 * 1024;

/**
 * What happens in one session, on its way to the store. What is noted in one turn is written as one batch, and the next
 * batch follows when that is done, so that what is written is always a beginning of what was noted.
 */
export class SessionJournal {
	readonly epoch: number;
	readonly #keeping: Keeping;
	readonly #seal: Seal;
	readonly #events: JournalEvents;
	#state: KeptState;
	#isStateNew: boolean = false;
	#waiting: Write[] = [];
	#waitingChars = 0;
	#durability: Durability = "async";
	#lastEvent = 0;
	#isWriting: boolean = false;
	#isScheduled: boolean = false;
	#isOver: boolean = false;
	/** Resolved with the batch that is gathered now. */
	#next: PromiseWithResolvers<void> | undefined;
	/** That of the batch on its way. */
	#current: Promise<void> | undefined;

	constructor(keeping: Keeping, seal: Seal, epoch: number, state: KeptState, events: JournalEvents) {
		this.#keeping = keeping;
		this.#seal = seal;
		this.epoch = epoch;
		this.#state = state;
		this.#events = events;
	}

	/** Resolves when all that was noted is written, rejects if it cannot be now; undefined if nothing waits. */
	settled(): Promise<void> | undefined {
		if (this.#isOver) return undefined;
		if (this.#waiting.length === 0 && !this.#isStateNew) return this.#current;
		this.#next ??= rejectable();
		return this.#next.promise;
	}

	/** Writes the session with these changes, or for the first time. */
	put(changes: Partial<KeptState>): void {
		this.#state = { ...this.#state, ...changes };
		this.#isStateNew = true;
		this.#schedule();
	}

	touch(): void {
		this.#note({ kind: "touch-session", session: this.#seal.name, seenAt: this.#keeping.world.now() });
	}

	addEvent(stream: number, number: number, text: string): void {
		if (this.#isOver) return;
		this.#lastEvent = number;
		const sealed = this.#seal.close(text);
		this.#waitingChars += sealed.length;
		this.#note({ kind: "add-event", row: { session: this.#seal.name, stream, number, text: sealed } });
	}

	dropEvents(numbers: readonly number[]): void {
		if (numbers.length > 0) this.#note({ kind: "drop-events", session: this.#seal.name, numbers });
	}

	/** A drop that the client must be told of when it asks for what comes after. */
	dropAwaited(stream: number, number: number): void {
		this.dropEvents([number]);
		this.put({ gone: { ...this.#state.gone, [stream]: number } });
	}

	accept(call: number, request: string): void {
		if (this.#isOver) return;
		const sealed = this.#seal.close(request);
		this.#waitingChars += sealed.length;
		// How much may be repeated is known when it is dispatched.
		const row = { session: this.#seal.name, call, contract: "convergent", request: sealed } as const;
		this.#note({ kind: "accept-call", row });
	}

	dispatch(call: number, contract: ReplayContract): void {
		if (contract !== "convergent") this.#durability = "sync";
		this.#note({ kind: "dispatch-call", session: this.#seal.name, call, contract });
	}

	answer(call: number, contract: ReplayContract): void {
		if (contract !== "convergent") this.#durability = "sync";
		this.#note({ kind: "answer-call", session: this.#seal.name, call });
	}

	/** Nothing of the call's stream is kept any more. */
	forget(call: number): void {
		if (this.#state.gone[call] !== undefined) {
			const { [call]: _, ...gone } = this.#state.gone;
			this.put({ gone });
		}
		this.#note({ kind: "forget-call", session: this.#seal.name, call });
	}

	/** Removes the session from the store, and notes nothing more. */
	end(): void {
		if (this.#isOver) return;
		this.#waiting = [];
		this.#isStateNew = false;
		this.#note({ kind: "end-session", session: this.#seal.name });
		this.#flush();
		this.stop();
	}

	/** Notes nothing more: the session goes on elsewhere, or later. */
	stop(): void {
		this.#isOver = true;
		this.#next?.resolve();
		this.#next = undefined;
	}

	#note(write: Write): void {
		if (this.#isOver) return;
		this.#waiting.push(write);
		if (this.#waiting.length > MOST_WAITING || this.#waitingChars > MOST_WAITING_CHARS)
			this.#lose(new StoreProblem("UNAVAILABLE", "the store takes nothing for too long"));
		else this.#schedule();
	}

	#schedule(): void {
		if (this.#isScheduled || this.#isWriting || this.#isOver) return;
		this.#isScheduled = true;
		queueMicrotask(() => {
			this.#isScheduled = false;
			this.#flush();
		});
	}

	#flush(): void {
		if (this.#isWriting || (this.#waiting.length === 0 && !this.#isStateNew)) return;
		const { store, fence } = this.#keeping;
		const writes: Write[] = this.#isStateNew ? [{ kind: "put-session", row: this.#row() }] : [];
		writes.push(...this.#waiting);
		const batch = { writes, durability: this.#durability, ...(fence !== undefined && { fence }) };
		const lastEvent = this.#lastEvent;
		const done = this.#next;
		this.#waiting = [];
		this.#waitingChars = 0;
		this.#durability = "async";
		this.#isStateNew = false;
		this.#next = undefined;
		this.#isWriting = true;
		const written = store.write(batch);
		this.#current = done?.promise ?? written;
		this.#current.catch(() => {});
		written.then(
			() => {
				this.#isWriting = false;
				this.#current = undefined;
				// Before whoever waits for it is answered, so that its events are sent first.
				if (!this.#isOver) this.#events.onWritten(lastEvent);
				done?.resolve();
				if (!this.#isOver) this.#flush();
			},
			(error: unknown) => {
				this.#isWriting = false;
				this.#current = undefined;
				done?.reject(error);
				this.#failed(error, batch.writes, batch.durability);
			},
		);
	}

	#failed(error: unknown, writes: readonly Write[], durability: Durability): void {
		if (this.#isOver) return;
		if (!(error instanceof StoreProblem) || !error.isTemporary) {
			this.#lose(error instanceof StoreProblem ? error : new StoreProblem("UNAVAILABLE", String(error)));
			return;
		}
		const rest = writes.filter(({ kind }) => kind !== "put-session");
		if (rest.length < writes.length) this.#isStateNew = true;
		this.#waiting = [...rest, ...this.#waiting];
		if (durability === "sync") this.#durability = "sync";
		// Not scheduled by what is noted meanwhile.
		this.#isWriting = true;
		this.#keeping.world.after(RETRY_MS, () => {
			this.#isWriting = false;
			if (!this.#isOver) this.#flush();
		});
	}

	#lose(problem: StoreProblem): void {
		this.#next?.reject(problem);
		this.#next = undefined;
		this.#isOver = true;
		this.#waiting = [];
		this.#events.onLost(problem);
	}

	#row(): SessionRow {
		const { scope, world, owner } = this.#keeping;
		const state = this.#seal.close(JSON.stringify(this.#state));
		const row = { id: this.#seal.name, scope, epoch: this.epoch, seenAt: world.now(), state };
		return owner === undefined ? row : { ...row, owner };
	}
}

/** Whoever waits hears of a failure; it is no error that nobody does. */
function rejectable(): PromiseWithResolvers<void> {
	const made = Promise.withResolvers<void>();
	made.promise.catch(() => {});
	return made;
}
