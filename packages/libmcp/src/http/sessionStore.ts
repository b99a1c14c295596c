import type { Principal } from "../server/protocol/dispatcher.ts";
import type { HttpSession } from "./httpSession.ts";

export type SessionLimits = {
	/** How long a session lives without requests and without a listening client. */
	readonly idleMs: number;
	/** At this many sessions, an idle one is closed to make room. */
	readonly maxSessions: number;
};

/** A session that no request has named for so long was left by its client, which never used it. */
const UNNAMED_MS = 10_000;

/** The open sessions, least recently used first. */
export class SessionStore {
	readonly #limits: SessionLimits;
	readonly #sessions = new Map<string, HttpSession>();

	constructor(limits: SessionLimits) {
		this.#limits = limits;
	}

	get size(): number {
		return this.#sessions.size;
	}

	has(id: string): boolean {
		return this.#sessions.has(id);
	}

	get(id: string): HttpSession | undefined {
		const session = this.#sessions.get(id);
		if (session === undefined) return undefined;
		session.lastSeen = performance.now();
		session.isNamed = true;
		this.#sessions.delete(id);
		this.#sessions.set(id, session);
		return session;
	}

	/** False when there is no room, because every session is busy. */
	add(session: HttpSession): boolean {
		if (this.#sessions.size >= this.#limits.maxSessions) {
			const leastNeeded = this.#leastNeeded(session.rpc.principal);
			if (leastNeeded === undefined) return false;
			this.end(leastNeeded.id, "the session made room for a newer one");
		}
		this.#sessions.set(session.id, session);
		return true;
	}

	/** One that its client left, or the newcomer's own, before another caller's; of equals the least recently used. */
	#leastNeeded(newcomer: Principal | undefined): HttpSession | undefined {
		const unnamedSince = performance.now() - UNNAMED_MS;
		const need = ({ rpc, isNamed, lastSeen }: HttpSession): number => {
			const isLeft = !isNamed && lastSeen < unnamedSince;
			return (isLeft ? 0 : 2) + (rpc.principal?.id === newcomer?.id ? 0 : 1);
		};
		const idle = [...this.#sessions.values()].filter((session) => session.idle);
		return idle.toSorted((a, b) => need(a) - need(b))[0];
	}

	end(id: string, reason: string): void {
		const session = this.#sessions.get(id);
		this.#sessions.delete(id);
		session?.end(reason);
	}

	/** Ends sessions that were idle for too long and sends keep-alives to the others. */
	tend(): void {
		const now = performance.now();
		for (const session of this.#sessions.values()) {
			if (session.idle && now - session.lastSeen > this.#limits.idleMs)
				this.end(session.id, "the session was idle too long");
			else session.keepAlive(now);
		}
	}

	*[Symbol.iterator](): IterableIterator<HttpSession> {
		yield* this.#sessions.values();
	}
}
