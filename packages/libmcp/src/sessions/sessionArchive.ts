import { StoreProblem } from "../store/storeProblem.ts";
import type { KeptSession, KeptState } from "./keptSession.ts";
import { sealOf } from "./seal.ts";
import { type JournalEvents, type Keeping, SessionJournal } from "./sessionJournal.ts";

/** The sessions of one endpoint in a store. */
export class SessionArchive {
	readonly #keepingNow: () => Keeping;

	/** Asked at the beginning of each journal: one that a lost identity began never writes as the identity after it. */
	constructor(keepingNow: () => Keeping) {
		this.#keepingNow = keepingNow;
	}

	/** The journal of a new session. */
	begin(id: string, state: KeptState, events: JournalEvents): SessionJournal {
		return new SessionJournal(this.#keepingNow(), sealOf(id), 1, state, events);
	}

	/** The session with this id, if one is kept here; rejects with a StoreProblem. */
	async find(id: string): Promise<FoundSession | undefined> {
		const keeping = this.#keepingNow();
		const { store, scope, owner } = keeping;
		const seal = sealOf(id);
		const row = await store.session(seal.name);
		if (row === undefined || row.scope !== scope) return undefined;
		if (owner !== undefined && row.owner !== owner)
			throw new StoreProblem("IN_USE", "the session goes on at another node by now");
		const { events, calls } = await store.kept(seal.name);
		const state = readState(seal.open(row.state));
		return {
			state,
			epoch: row.epoch + 1,
			events: events.map(({ stream, number, text }) => ({ stream, number, text: seal.open(text) })),
			calls: calls.map(({ session: _, request, ...call }) => ({ ...call, request: seal.open(request) })),
			open: (journalEvents) => new SessionJournal(keeping, seal, row.epoch + 1, state, journalEvents),
		};
	}

	/** Removes what clients have left for so long, wherever it was served last. */
	async endIdle(idleMs: number): Promise<void> {
		const { store, scope, world, fence } = this.#keepingNow();
		await store.write({
			writes: [{ kind: "end-idle-sessions", scope, seenBefore: world.now() - idleMs }],
			durability: "async",
			...(fence !== undefined && { fence }),
		});
	}
}

export type FoundSession = KeptSession & {
	/** How many processes have served it, with this one. */
	readonly epoch: number;
	/** Goes on with its journal. */
	open(events: JournalEvents): SessionJournal;
};

function readState(text: string): KeptState {
	try {
		return JSON.parse(text) as KeptState;
	} catch (error) {
		throw new StoreProblem("DAMAGED", "the state of a session cannot be read", { cause: error });
	}
}
