import { type ClientDescription, RPC_CODES, RpcError, type Session } from "libmcp";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { createPatientSignal } from "../../run/patience.ts";
import type { Link, LinkEvents } from "./link.ts";
import type { SharedLink } from "./sharedLink.ts";
import type { UpstreamDoor } from "./upstreamDoor.ts";

/** Log level and subscriptions that the server accepted; a new connection starts by repeating them. */
type Asked = { readonly level?: unknown; readonly uris: readonly string[] };

const ASKED = "asked";
/** Whether its client has ended its handshake. */
const GREETED = "greeted";
const MOST_REMEMBERED = 1_000;
const AGAIN_MS = 2_000;
const RESTORING_MS = 30_000;

/** One connection to the server per client session, so that their handshakes and state never mix. */
export class SessionLinks {
	readonly #door: UpstreamDoor;
	readonly #shared: SharedLink;
	readonly #links = new Map<Session, Promise<Link>>();

	constructor(door: UpstreamDoor, shared: SharedLink) {
		this.#door = door;
		this.#shared = shared;
	}

	/** The session's own connection, or the shared one if the server has no sessions. */
	for(session: Session, client: ClientDescription): Promise<Link> {
		const known = this.#links.get(session);
		if (known !== undefined) return known;
		const opening = this.#open(session, client);
		this.#links.set(session, opening);
		const forget = (): void => {
			session.ended.removeEventListener("abort", end);
			if (this.#links.get(session) === opening) this.#links.delete(session);
		};
		const end = (): void => {
			forget();
			opening.then((link) => (link.era === "legacy" ? link.close() : undefined)).catch(() => {});
		};
		session.ended.addEventListener("abort", end);
		opening
			.then(async (link) => {
				await link.closed;
				forget();
				this.#again(session, client);
			})
			.catch(forget);
		return opening;
	}

	/** Remembers settings that outlive the request, once the server has accepted them. */
	agreed(session: Session, method: string, { level, uri }: JsonObject): void {
		const asked = askedBy(session);
		const others = asked.uris.filter((known) => known !== uri);
		if (method === "logging/setLevel") session.notes.set(ASKED, { ...asked, level });
		else if (typeof uri !== "string") return;
		else if (method === "resources/unsubscribe") session.notes.set(ASKED, { ...asked, uris: others });
		else if (method === "resources/subscribe" && others.length < MOST_REMEMBERED)
			session.notes.set(ASKED, { ...asked, uris: [...others, uri] });
	}

	/** The client has ended its handshake: from now on the server may ask it and tell it something. */
	acknowledge(session: Session): void {
		session.notes.set(GREETED, true);
		this.#links
			.get(session)
			?.then((link) => link.acknowledge())
			.catch(() => {});
	}

	/** Forwards a client's notification. */
	notify(session: Session, method: string, params: JsonObject): void {
		this.#links
			.get(session)
			?.then((link) => link.era === "legacy" && link.notify(method, params))
			.catch(() => {});
	}

	async #open(session: Session, client: ClientDescription): Promise<Link> {
		const { protocol } = this.#door.spec;
		if (protocol === "modern") return this.#shared.get();
		try {
			const link = await this.#door.legacy(client, eventsOf(session));
			if (session.notes.get(GREETED) === true) link.acknowledge();
			await this.#restore(session, link);
			return link;
		} catch (thrown) {
			// A server that knows no handshake refuses the method or the revision; anything else is a failure.
			if (protocol === "legacy" || !(thrown instanceof RpcError) || thrown.code === RPC_CODES.overloaded) throw thrown;
			const shared = await this.#shared.get();
			if (shared.era === "modern") return shared;
			throw thrown;
		}
	}

	/** Repeats settings on a new connection the client does not know of, and reports watched resources as possibly changed. */
	async #restore(session: Session, link: Link): Promise<void> {
		const asked = askedBy(session);
		const signal = createPatientSignal(RESTORING_MS);
		if (asked.level !== undefined)
			await link.request("logging/setLevel", { level: asked.level }, signal).catch(() => {});
		const watch = async (uri: string): Promise<void> => {
			await link.request("resources/subscribe", { uri }, signal);
			session.notify("notifications/resources/updated", { uri });
		};
		await Promise.allSettled([...asked.uris].map(watch));
	}

	/** A client that waits for notifications sends nothing, so reconnect without waiting for a request. */
	#again(session: Session, client: ClientDescription): void {
		const isOver = (): boolean => session.ended.aborted || this.#door.isClosed;
		if (isOver() || askedBy(session).uris.length === 0) return;
		const timer = setTimeout(() => {
			if (!isOver()) this.for(session, client).catch(() => this.#again(session, client));
		}, AGAIN_MS);
		timer.unref();
	}
}

function askedBy(session: Session): Asked {
	const asked = session.notes.get(ASKED);
	return isObject(asked) && Array.isArray(asked.uris) ? { ...asked, uris: asked.uris.map(String) } : { uris: [] };
}

function eventsOf(session: Session): LinkEvents {
	return {
		onRequest: (method, params, signal, about) => (about ?? session).request(method, { ...params }, signal),
		onNotification: (method, params, about) => {
			if (method === "notifications/message" && about !== undefined) about.notify(method, { ...params });
			else session.notify(method, { ...params });
		},
	};
}
