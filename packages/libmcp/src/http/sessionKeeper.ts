import type { Principal, Session } from "../server/protocol/dispatcher.ts";
import { SessionArchive } from "../sessions/sessionArchive.ts";
import type { Writer } from "../sessions/sessionJournal.ts";
import type { Fence, Store } from "../store/store.ts";
import { StoreProblem } from "../store/storeProblem.ts";
import { REAL_WORLD, type World } from "../world/world.ts";
import { continueCalls } from "./continueCalls.ts";
import { HttpRefusal } from "./front/refusal.ts";
import type { HttpSession } from "./httpSession.ts";
import { KeptHttpSession, type KeptOptions } from "./keptHttpSession.ts";

/** Where an endpoint keeps its sessions. */
export type KeepingOptions = {
	readonly store: Store;
	/** Tells its sessions from those of other endpoints, such as its path. */
	readonly scope: string;
	/** The lease that this process owns; without it, it is trusted to be the only one. */
	readonly fence?: Fence | undefined;
	/** As whom this process writes from now on, where that changes: as a node of a fleet. */
	readonly writer?: (() => Writer) | undefined;
	/** Whether the dispatcher calls `context.dispatching` before a request may take effect. Default: it may from the start. */
	readonly handlersTell?: boolean;
	/** Called with a session that goes on here, before its calls do. */
	readonly onRestored?: (session: Session) => void;
	readonly world?: World;
};

/** What the keeper asks of its endpoint. */
type Endpoint = {
	make(principal: Principal | undefined, kept: KeptHttpSession): HttpSession;
	/** False if there is no room for it. */
	add(session: HttpSession): boolean;
	/** It cannot be kept any more; another process may have it by now. */
	lost(id: string, reason: string, isElsewhere: boolean): void;
};

const TIDY_MS = 60_000;
const UNAVAILABLE = { "retry-after": "5" };

/** Brings the sessions of one endpoint to a store and back. */
export class SessionKeeper {
	readonly #options: KeepingOptions;
	readonly #archive: SessionArchive;
	readonly #endpoint: Endpoint;
	/** Sessions on their way back, so that two requests at once get the same. */
	readonly #returning = new Map<string, Promise<HttpSession | undefined>>();
	#tidiedAt: number = Number.NEGATIVE_INFINITY;

	constructor(options: KeepingOptions, endpoint: Endpoint) {
		const { store, scope, fence, writer = () => ({ owner: undefined, fence }), world = REAL_WORLD } = options;
		this.#options = options;
		this.#archive = new SessionArchive(() => ({ store, scope, world, ...writer() }));
		this.#endpoint = endpoint;
	}

	/** For a session that a handshake is about to open. */
	begin(principal: Principal | undefined): KeptHttpSession {
		return new KeptHttpSession(this.#keptOptions(principal));
	}

	/** The session that an earlier process served, if its caller may have it. */
	find(id: string, principal: Principal | undefined): Promise<HttpSession | undefined> {
		const known = this.#returning.get(id);
		if (known !== undefined) return known;
		const returning = this.#restore(id, principal).finally(() => this.#returning.delete(id));
		this.#returning.set(id, returning);
		return returning;
	}

	/** Removes sessions from the store that no client has come back to. */
	tend(idleMs: number): void {
		const now = performance.now();
		if (now - this.#tidiedAt < TIDY_MS) return;
		this.#tidiedAt = now;
		// If it fails now, it is done a minute later. Sessions in use are noted as seen more often than that.
		this.#archive.endIdle(idleMs + TIDY_MS).catch(() => {});
	}

	async #restore(id: string, principal: Principal | undefined): Promise<HttpSession | undefined> {
		const found = await this.#archive.find(id).catch((error: unknown) => {
			const why = error instanceof StoreProblem && error.isTemporary ? "cannot be read now" : "cannot be read";
			throw new HttpRefusal("STORE_UNAVAILABLE", `mcp-session-id: what is kept of sessions ${why}`, UNAVAILABLE, {
				cause: error,
			});
		});
		if (found === undefined || found.state.principal !== principal?.id) return undefined;
		const session = this.#endpoint.make(principal, new KeptHttpSession({ ...this.#keptOptions(principal), id }, found));
		if (!this.#endpoint.add(session)) {
			await session.leave("every session is in use");
			throw new HttpRefusal("RATE_LIMITED", "every session is in use", UNAVAILABLE);
		}
		this.#options.onRestored?.(session.rpc);
		continueCalls(session);
		return session;
	}

	#keptOptions(principal: Principal | undefined): Omit<KeptOptions, "id"> {
		return {
			archive: this.#archive,
			principal: principal?.id,
			handlersTell: this.#options.handlersTell === true,
			onLost: (id, problem) => {
				const reason = `the session cannot be kept: ${problem.message}`;
				this.#endpoint.lost(id, reason, problem.code === "FENCE_LOST");
			},
		};
	}
}
