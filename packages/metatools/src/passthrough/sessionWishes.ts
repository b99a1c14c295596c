import { RpcError, type Session } from "libmcp";
import type { JsonObject } from "../contract/json.ts";

const MOST_WATCHED = 1_000;

/** What one session asked for once, and the modern era sends with each request instead. */
export type Wishes = { logLevel?: string; readonly uris: Set<string> };

/** The wishes of sessions whose server keeps none for them; what any of them watches is watched once for all. */
export class SessionWishes {
	readonly #bySession = new Map<Session, Wishes>();
	readonly #watch: (uris: ReadonlySet<string>) => void;
	#watchedBySubscribers: ReadonlySet<string> = new Set();

	constructor(watch: (uris: ReadonlySet<string>) => void) {
		this.#watch = watch;
	}

	/** Kept until the session ends; those of a request without one are kept nowhere. */
	of(session: Session | undefined): Wishes {
		const known = session && this.#bySession.get(session);
		if (known !== undefined) return known;
		const made: Wishes = { uris: new Set() };
		if (session === undefined) return made;
		this.#bySession.set(session, made);
		session.ended.addEventListener("abort", () => {
			this.#bySession.delete(session);
			if (made.uris.size > 0) this.#watchAll();
		});
		return made;
	}

	/** Whether this request is a wish, which is noted then and need not be sent. */
	note(wishes: Wishes, method: string, params: JsonObject): boolean {
		switch (method) {
			case "logging/setLevel":
				wishes.logLevel = String(params.level);
				return true;
			case "resources/subscribe":
				if (wishes.uris.size >= MOST_WATCHED)
					throw new RpcError(-32602, `uri: at most ${MOST_WATCHED} resources can be watched at once`);
				wishes.uris.add(String(params.uri));
				this.#watchAll();
				return true;
			case "resources/unsubscribe":
				wishes.uris.delete(String(params.uri));
				this.#watchAll();
				return true;
			default:
				return false;
		}
	}

	/** What clients without a session watch, by their subscriptions. */
	watchedBySubscribers(uris: ReadonlySet<string>): void {
		this.#watchedBySubscribers = uris;
		this.#watchAll();
	}

	/** Passes the server's notification to the sessions; that of a resource to those who watch it. */
	notify(method: string, params: JsonObject): void {
		for (const [session, { uris }] of this.#bySession)
			if (method !== "notifications/resources/updated" || uris.has(String(params.uri)))
				session.notify(method, { ...params });
	}

	#watchAll(): void {
		const bySessions = [...this.#bySession.values()].flatMap(({ uris }) => [...uris]);
		this.#watch(new Set([...this.#watchedBySubscribers, ...bySessions]));
	}
}
