import { randomBytes } from "node:crypto";
import type { ReplayContract } from "../replay/decide.ts";
import { findMethodEffect, resolveContract } from "../replay/effect.ts";
import type { ClientDescription, SessionNotes } from "../server/protocol/dispatcher.ts";
import type { RpcSessionOptions } from "../server/session/rpcSession.ts";
import type { KeptCall } from "../sessions/keptSession.ts";
import type { FoundSession, SessionArchive } from "../sessions/sessionArchive.ts";
import type { SessionJournal } from "../sessions/sessionJournal.ts";
import type { StoreProblem } from "../store/storeProblem.ts";
import type { RequestEnvelope } from "../wire/envelope.ts";
import { CallRecord } from "./callRecord.ts";
import type { EventLog } from "./eventLog.ts";

export type KeptOptions = {
	readonly archive: SessionArchive;
	readonly id: string;
	readonly principal: string | undefined;
	/** Whether handlers tell themselves when a request may take effect; else it may from the start. */
	readonly handlersTell: boolean;
	/** Ends the session here: it cannot be kept any more. */
	readonly onLost: (id: string, problem: StoreProblem) => void;
};

/** What a kept session reaches of the one that it keeps. */
export type SessionParts = { readonly log: () => EventLog; readonly written: () => void };

/** Each process that serves a session gives out numbers of its own: streams, events and questions of all are different. */
const STREAMS_OF_EPOCH = 1_000_000;
const EVENTS_OF_EPOCH = 100_000_000;
const TOUCH_MS = 30_000;

/** Keeps one session of an endpoint in a store, from the end of its handshake until it ends. */
export class KeptHttpSession {
	readonly id: string;
	readonly firstStream: number;
	readonly rpcOptions: Pick<RpcSessionOptions, "client" | "notes" | "firstQuestion">;
	readonly #options: KeptOptions;
	readonly #found: FoundSession | undefined;
	readonly #notes: Record<string, unknown>;
	#journal: SessionJournal | undefined;
	#parts: SessionParts | undefined;
	#touchedAt: number = performance.now();

	/** A new session, or one that was found in the store. */
	constructor(options: Omit<KeptOptions, "id"> & { readonly id?: string }, found?: FoundSession) {
		this.#options = { ...options, id: options.id ?? randomBytes(24).toString("base64url") };
		this.id = this.#options.id;
		this.#found = found;
		this.#notes = { ...found?.state.notes };
		const epoch = found?.epoch ?? 0;
		this.firstStream = epoch * STREAMS_OF_EPOCH + 1;
		const notes: SessionNotes = {
			get: (name) => (Object.hasOwn(this.#notes, name) ? this.#notes[name] : undefined),
			set: (name, value) => {
				this.#notes[name] = value;
				this.#journal?.put({ notes: { ...this.#notes } });
			},
		};
		this.rpcOptions = {
			notes,
			firstQuestion: epoch * STREAMS_OF_EPOCH + 1,
			...(found !== undefined && { client: found.state.client }),
		};
	}

	get restored(): { readonly hasListened: boolean; readonly calls: readonly KeptCall[] } | undefined {
		return this.#found && { hasListened: this.#found.state.hasListened, calls: this.#found.calls };
	}

	/** Connects it with its session; a session that was found gets its events back. */
	attach(parts: SessionParts): void {
		this.#parts = parts;
		const found = this.#found;
		if (found === undefined) return;
		const journal = found.open(this.#events());
		this.#journal = journal;
		const { gone } = found.state;
		const open = found.calls.filter(({ state }) => state !== "answered").map(({ call }) => call);
		const nextNumber = Math.max(found.events.at(-1)?.number ?? 0, found.epoch * EVENTS_OF_EPOCH) + 1;
		const log = parts.log();
		log.restore({ events: found.events, gone, streams: [0, ...open], nextNumber }, journal);
		for (const { call, state } of found.calls) if (state === "answered") log.end(call);
		// With the new epoch, before anything else is written.
		journal.put({});
	}

	/** The handshake is over: from now on it is kept. Rejects if it cannot be. */
	begin(client: ClientDescription, hasListened: boolean): Promise<void> | undefined {
		if (this.#journal !== undefined) return this.#journal.settled();
		const { archive, principal } = this.#options;
		const state = {
			client,
			...(principal !== undefined && { principal }),
			notes: { ...this.#notes },
			hasListened,
			gone: {},
		};
		this.#journal = archive.begin(this.id, state, this.#events());
		this.#journal.put({});
		this.#parts?.log().keepIn(this.#journal);
		return this.#journal.settled();
	}

	/** What was noted and not yet written. */
	settled(): Promise<void> | undefined {
		return this.#journal?.settled();
	}

	/** The ledger's record of a request that arrives, or of one from before this process. */
	record({ method }: Pick<RequestEnvelope, "method">, frame: Buffer, call?: number): CallRecord | undefined {
		if (this.#journal === undefined || method === "initialize") return undefined;
		const record = new CallRecord(this.#journal, frame, call);
		if (!this.#options.handlersTell) void record.dispatching(contractOfMethod(method));
		return record;
	}

	/** The client has opened its standing stream. */
	listened(): void {
		this.#journal?.put({ hasListened: true });
	}

	/** Notes from time to time that the client is there. */
	tend(lastSeen: number): void {
		if (lastSeen - this.#touchedAt < TOUCH_MS) return;
		this.#touchedAt = lastSeen;
		this.#journal?.touch();
	}

	/** From now on nothing is kept of it, and nothing waits until it is. */
	end(): void {
		this.#journal?.end();
		this.#parts?.log().keepNothing();
		this.#parts?.written();
	}

	/** Writes what is noted, and leaves the session to whoever serves it next. */
	async leave(): Promise<void> {
		await this.#journal?.settled()?.catch(() => {});
		this.#journal?.stop();
	}

	#events(): ConstructorParameters<typeof SessionJournal>[4] {
		return {
			onWritten: (lastEvent) => {
				this.#parts?.log().wrote(lastEvent);
				this.#parts?.written();
			},
			onLost: (problem) => this.#options.onLost(this.id, problem),
		};
	}
}

/** Nobody here knows what a tool does. */
function contractOfMethod(method: string): ReplayContract {
	return resolveContract(findMethodEffect(method).recovery, () => undefined);
}
