import type { ClientDescription } from "../server/protocol/dispatcher.ts";
import type { CallRow, EventRow } from "../store/store.ts";

/** What is kept of a session besides its events and calls. */
export type KeptState = {
	readonly client: ClientDescription;
	/** The id of the caller to whom it belongs; absent if callers are not told apart. */
	readonly principal?: string;
	/** What handlers remember of it: a log level, watched resources, what a new worker is told. */
	readonly notes: Readonly<Record<string, unknown>>;
	/** Whether the client has opened the stream for messages that belong to no request. */
	readonly hasListened: boolean;
	/** For each stream, the last dropped event that somebody awaits; 0 where none is dropped. */
	readonly gone: Readonly<Record<number, number>>;
};

/** A session as it was kept. */
export type KeptSession = {
	readonly state: KeptState;
	readonly events: readonly Pick<EventRow, "stream" | "number" | "text">[];
	readonly calls: readonly KeptCall[];
};

export type KeptCall = Omit<CallRow, "session">;
