import { type ClientDescription, RpcError, type Session } from "libmcp";
import type { JsonObject } from "../contract/json.ts";
import type { Link, LinkEvents } from "./link.ts";
import type { SharedLink } from "./sharedLink.ts";
import type { UpstreamDoor } from "./upstreamDoor.ts";

/** One conversation with the server for each client that has a session: their handshakes and state never mix. */
export class SessionLinks {
	readonly #door: UpstreamDoor;
	readonly #shared: SharedLink;
	readonly #links = new Map<Session, Promise<Link>>();

	constructor(door: UpstreamDoor, shared: SharedLink) {
		this.#door = door;
		this.#shared = shared;
	}

	/** The session's own conversation; the shared one where the server knows no sessions. */
	for(session: Session, client: ClientDescription): Promise<Link> {
		const known = this.#links.get(session);
		if (known !== undefined) return known;
		const opening = this.#open(session, client);
		this.#links.set(session, opening);
		const forget = (): void => {
			if (this.#links.get(session) === opening) this.#links.delete(session);
		};
		opening.catch(forget);
		session.ended.addEventListener(
			"abort",
			() => {
				forget();
				opening.then((link) => (link.era === "legacy" ? link.close() : undefined)).catch(() => {});
			},
			{ once: true },
		);
		return opening;
	}

	/** Passes on what a client says unasked. */
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
			return await this.#door.legacy(client, this.#events(session));
		} catch (thrown) {
			// A server that knows no handshake refuses the method or the revision; anything else is a failure.
			if (protocol === "legacy" || !(thrown instanceof RpcError) || thrown.code === -32001) throw thrown;
			const shared = await this.#shared.get();
			if (shared.era === "modern") return shared;
			throw thrown;
		}
	}

	#events(session: Session): LinkEvents {
		return {
			onRequest: (method, params, signal, about) =>
				about === undefined ? session.request(method, { ...params }, signal) : about.request(method, { ...params }),
			onNotification: (method, params, about) => {
				if (method === "notifications/message" && about !== undefined) about.notify(method, { ...params });
				else session.notify(method, { ...params });
			},
			onClosed: () => this.#links.delete(session),
		};
	}
}
