import type { ReplayContract } from "../replay/decide.ts";

/**
 * What must outlive a process: sessions, the events of their streams, calls in flight, and small shared values. Whoever
 * implements it keeps these promises:
 * - a batch is applied whole or not at all, and batches take effect in the order they are given in;
 * - what `write` has resolved for survives what its durability names;
 * - a batch with a fence is refused with `FENCE_LOST` once anybody else has acquired that lease;
 * - reads see everything whose `write` has resolved.
 * Every failure is a `StoreProblem`.
 */
export type Store = {
	/** Names it in messages; holds no password. */
	readonly name: string;
	write(batch: Batch): Promise<void>;
	session(id: string): Promise<SessionRow | undefined>;
	/** The events of a session in the order of their numbers, and its calls. */
	kept(session: string): Promise<{ readonly events: readonly EventRow[]; readonly calls: readonly CallRow[] }>;
	value(space: string, key: string): Promise<ValueRow | undefined>;
	/** All of a space, except what has expired, by key. */
	values(space: string): Promise<readonly ValueRow[]>;
	/** Takes up to `amount` from what the counter allows in the current window; returns how much was granted. */
	take(counter: string, amount: number, allowance: Allowance): Promise<number>;
	/** Makes the caller the owner, with a higher fence than anybody had before; undefined while another's lease lasts. */
	acquire(lease: string, holder: string, ms: number): Promise<Lease | undefined>;
	/** False if somebody else has acquired the lease. An expired lease that nobody wanted can be renewed. */
	renew(lease: Lease, ms: number): Promise<boolean>;
	/** Lets others acquire it at once. Does nothing if it is somebody else's by now. */
	release(lease: Lease): Promise<void>;
	/**
	 * Calls `heard` with what batches publish on this topic, wherever they are written, and `missed` after a time in which
	 * nothing could be heard; the result ends it.
	 */
	watch(topic: string, heard: (message: string) => void, missed?: () => void): Promise<() => Promise<void>>;
	/** Writes what is waiting and lets go of everything. */
	close(): Promise<void>;
};

/** What a write survives once it is reported: `async` the end of this process, `sync` that of the machine as well. */
export type Durability = "async" | "sync";

export type Batch = {
	readonly writes: readonly Write[];
	readonly durability: Durability;
	/** The lease that the writer must still own. */
	readonly fence?: Fence;
};

export type Fence = Pick<Lease, "lease" | "fence">;

export type Lease = {
	readonly lease: string;
	readonly holder: string;
	/** Rises with every owner. */
	readonly fence: number;
};

export type Allowance = { readonly most: number; readonly windowMs: number };

/** One change. The state of a call only moves forward; a change that does not fit it is refused with `OUT_OF_ORDER`. */
export type Write =
	/** Adds a session or replaces what is kept of it. */
	| { readonly kind: "put-session"; readonly row: SessionRow }
	/** Makes another node its owner; `CHANGED_MEANWHILE` unless its owner is `was` (`null`: nobody). */
	| { readonly kind: "claim-session"; readonly session: string; readonly owner: string; readonly was: string | null }
	/** Notes that its client was there; does nothing for a session that has ended. */
	| { readonly kind: "touch-session"; readonly session: string; readonly seenAt: number }
	/** Removes a session with its events and calls. */
	| { readonly kind: "end-session"; readonly session: string }
	/** Removes every session of the scope that was last seen before. */
	| { readonly kind: "end-idle-sessions"; readonly scope: string; readonly seenBefore: number }
	| { readonly kind: "add-event"; readonly row: EventRow }
	| { readonly kind: "drop-events"; readonly session: string; readonly numbers: readonly number[] }
	/** Adds a call that nothing is known of yet. */
	| { readonly kind: "accept-call"; readonly row: Omit<CallRow, "state" | "attempts"> }
	/** From now on it may have taken effect. Again for each repetition. */
	| ({ readonly kind: "dispatch-call"; readonly contract: ReplayContract } & CallKey)
	| ({ readonly kind: "answer-call" } & CallKey)
	/** Removes a call in any state. */
	| ({ readonly kind: "forget-call" } & CallKey)
	/** Sets a value. With `was` only if that is the value now (`null`: if there is none), else `CHANGED_MEANWHILE`. */
	| { readonly kind: "set-value"; readonly row: ValueRow; readonly was?: string | null }
	| { readonly kind: "unset-value"; readonly space: string; readonly key: string }
	/** Tells those who watch the topic, once the batch is written. */
	| { readonly kind: "publish"; readonly topic: string; readonly message: string };

export type SessionRow = {
	readonly id: string;
	/** The endpoint it belongs to. */
	readonly scope: string;
	/** The process that serves it counts how often it was restored. */
	readonly epoch: number;
	readonly seenAt: number;
	/** The node of a fleet that serves it; absent where there is no fleet. */
	readonly owner?: string;
	/** Written and read by the owner alone. */
	readonly state: string;
};

export type EventRow = {
	readonly session: string;
	readonly stream: number;
	/** Unique in its session, and rising. */
	readonly number: number;
	readonly text: string;
};

export type CallKey = { readonly session: string; readonly call: number };

export type CallRow = CallKey & {
	readonly state: CallState;
	/** How often it was dispatched. */
	readonly attempts: number;
	/** What may be done with it if its process is lost: the weaker of what was known at any dispatch. */
	readonly contract: ReplayContract;
	readonly request: string;
};

export type CallState = "accepted" | "dispatched" | "answered";

/** Approvals, tasks and whatever else is found by a name. */
export type ValueRow = {
	readonly space: string;
	readonly key: string;
	readonly value: string;
	/** When it counts as gone, in milliseconds since 1970; absent if never. */
	readonly expiresAt?: number;
};
