import { RPC_CODES, RpcError, type Session } from "libmcp";
import { isObject, type JsonObject } from "../contract/json.ts";

const NOTE = "preferences";
const MOST_WATCHED = 1_000;

/** The log level and the watched resources of one session. Modern clients send these with each request instead. */
export type Preferences = { logLevel?: string; readonly uris: Set<string> };

/** Keeps the preferences of sessions whose server has no sessions, and watches each resource once for all of them. */
export class SessionPreferences {
	readonly #bySession = new Map<Session, Preferences>();
	readonly #watch: (uris: ReadonlySet<string>) => void;
	#watchedBySubscribers: ReadonlySet<string> = new Set();

	constructor(watch: (uris: ReadonlySet<string>) => void) {
		this.#watch = watch;
	}

	/** Returns the preferences of a session, kept until it ends; a request without a session gets empty ones. */
	of(session: Session | undefined): Preferences {
		const known = session && this.#bySession.get(session);
		if (known !== undefined) return known;
		if (session === undefined) return { uris: new Set() };
		const noted = session.notes.get(NOTE);
		const { logLevel, uris } = isObject(noted) ? noted : {};
		const made: Preferences = {
			uris: new Set(Array.isArray(uris) ? uris.map(String) : []),
			...(typeof logLevel === "string" && { logLevel }),
		};
		if (made.uris.size > 0) queueMicrotask(() => this.#watchAll());
		this.#bySession.set(session, made);
		session.ended.addEventListener("abort", () => {
			this.#bySession.delete(session);
			if (made.uris.size > 0) this.#watchAll();
		});
		return made;
	}

	/** Records the request if it sets a preference; returns whether it did, as such a request is not sent to the server. */
	note(session: Session | undefined, method: string, params: JsonObject): boolean {
		const preferences = this.of(session);
		const isNoted = this.#change(preferences, method, params);
		if (isNoted) session?.notes.set(NOTE, { ...preferences, uris: [...preferences.uris] });
		return isNoted;
	}

	#change(preferences: Preferences, method: string, params: JsonObject): boolean {
		switch (method) {
			case "logging/setLevel":
				preferences.logLevel = String(params.level);
				return true;
			case "resources/subscribe":
				if (preferences.uris.size >= MOST_WATCHED)
					throw new RpcError(RPC_CODES.invalidParams, `uri: at most ${MOST_WATCHED} resources can be watched at once`);
				preferences.uris.add(String(params.uri));
				this.#watchAll();
				return true;
			case "resources/unsubscribe":
				preferences.uris.delete(String(params.uri));
				this.#watchAll();
				return true;
			default:
				return false;
		}
	}

	/** Sets the resources that clients without a session watch. */
	watchedBySubscribers(uris: ReadonlySet<string>): void {
		this.#watchedBySubscribers = uris;
		this.#watchAll();
	}

	/** Passes a notification of the server to all sessions, or, if it is about a resource, to those that watch it. */
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
