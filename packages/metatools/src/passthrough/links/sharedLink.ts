import { type ClientDescription, META, MODERN_REVISION, RPC_CODES, type RpcContext, RpcError } from "libmcp";
import { isObject, type JsonObject } from "../../contract/json.ts";
import { readFailure } from "../../upstream/failure/failure.ts";
import { createClaim } from "./claim.ts";
import type { Link, LinkEvents } from "./link.ts";
import type { UpstreamDoor } from "./upstreamDoor.ts";

export const OURSELVES: ClientDescription = {
	name: "metatools",
	version: "1.0.0",
	protocolVersion: MODERN_REVISION,
	capabilities: {},
};
/** How long silence counts as a doubt about the era, and not yet as a failure. */
const PROBE_MS = 5_000;
const LISTEN_AGAIN_MS = 2_000;
const LISTS = ["tools", "prompts", "resources"] as const;

/** The connection shared by all clients without a session, in the server's newest era; notifications go to `publish`. */
export class SharedLink {
	readonly #door: UpstreamDoor;
	readonly #publish: (method: string, params: JsonObject) => void;
	readonly #probeMs: number;
	#link: Promise<Link> | undefined;
	#watched: ReadonlySet<string> = new Set();
	#listening = new AbortController();
	#again: NodeJS.Timeout | undefined;

	constructor(door: UpstreamDoor, publish: (method: string, params: JsonObject) => void, probeMs: number = PROBE_MS) {
		this.#door = door;
		this.#publish = publish;
		this.#probeMs = probeMs;
	}

	get(): Promise<Link> {
		this.#link ??= this.#open().catch((thrown: unknown) => {
			this.#lost();
			throw thrown;
		});
		return this.#link;
	}

	/** Subscribes to exactly the resources that clients watch now. */
	watch(uris: ReadonlySet<string>): void {
		const before = this.#watched;
		this.#watched = uris;
		this.#link
			?.then((link) => {
				if (link.era === "modern") this.#listen(link);
				else resubscribe(link, uris, before);
			})
			.catch(() => {});
	}

	async #open(): Promise<Link> {
		const link = await this.#greeted();
		void link.closed.then(() => this.#lost());
		if (link.era === "modern") this.#listen(link);
		else resubscribe(link, this.#watched);
		return link;
	}

	#greeted(): Promise<Link> {
		const { protocol } = this.#door.spec;
		switch (protocol) {
			case "legacy":
				return this.#legacy();
			case "modern":
				return this.#modern();
			case "auto":
				return this.#inEitherEra();
			default:
				return protocol satisfies never;
		}
	}

	/** Silence may mean that the server knows the older era only. If it refuses that one too, it was just slow. */
	async #inEitherEra(): Promise<Link> {
		try {
			return await this.#modern(this.#probeMs);
		} catch (thrown) {
			const isSilent = readFailure(thrown).kind === "timeout";
			return this.#legacy().catch((refusal: unknown) => {
				if (isSilent && refusal instanceof RpcError) return this.#modern();
				throw refusal;
			});
		}
	}

	#modern(patienceMs?: number): Promise<Link> {
		return this.#door.modern(OURSELVES, this.#events(), patienceMs);
	}

	async #legacy(): Promise<Link> {
		const link = await this.#door.legacy(OURSELVES, this.#events());
		link.acknowledge();
		return link;
	}

	#events(): LinkEvents {
		return {
			onRequest: async (method) => {
				throw new RpcError(RPC_CODES.methodNotFound, `Nobody can be asked for ${method} here.`, {
					code: "METHOD_NOT_FOUND",
				});
			},
			onNotification: (method, params, about) => this.#news(method, params, about),
		};
	}

	/** A client that waits for notifications sends nothing, so reconnect without waiting for a request. */
	#lost(): void {
		this.#link = undefined;
		this.#listening.abort();
		clearTimeout(this.#again);
		if (this.#watched.size === 0 || this.#door.isClosed) return;
		this.#again = setTimeout(() => this.get().catch(() => {}), LISTEN_AGAIN_MS);
		this.#again.unref();
	}

	#news(method: string, params: JsonObject, about: RpcContext | undefined): void {
		if (method === "notifications/subscriptions/acknowledged") return;
		// A task is its caller's only, who asks for its state.
		if (method.startsWith("notifications/tasks")) return;
		if (method === "notifications/message") about?.notify(method, { ...params });
		else this.#publish(method, withoutSubscription(params));
	}

	/** Opens the new subscription before closing the old one, so that nothing is missed in between. */
	#listen(link: Link): void {
		const old = this.#listening;
		this.#listening = new AbortController();
		const { capabilities } = link.description;
		const offers = (list: string, what: string): boolean => {
			const offered = capabilities[list];
			return isObject(offered) && offered[what] === true;
		};
		const notifications = {
			...Object.fromEntries(
				LISTS.filter((list) => offers(list, "listChanged")).map((list) => [`${list}ListChanged`, true]),
			),
			...(this.#watched.size > 0 && offers("resources", "subscribe") && { resourceSubscriptions: [...this.#watched] }),
		};
		if (Object.keys(notifications).length > 0) {
			const { signal } = this.#listening;
			const over = (): void => this.#listenAgain(link, signal);
			link.request("subscriptions/listen", { notifications, _meta: createClaim(OURSELVES) }, signal).then(over, over);
		}
		old.abort();
	}

	/** Resubscribes after a broken connection, with a pause. */
	#listenAgain(link: Link, signal: AbortSignal): void {
		if (signal.aborted) return;
		const timer = setTimeout(() => this.#listen(link), LISTEN_AGAIN_MS);
		timer.unref();
		signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
	}
}

function withoutSubscription(params: JsonObject): JsonObject {
	if (!isObject(params._meta)) return params;
	const { _meta, ...rest } = params;
	const { [META.subscriptionId]: _, ...kept } = _meta;
	return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}

/** Tells a server with a handshake which resources are watched now, given those it was told before. */
export function resubscribe(link: Link, now: ReadonlySet<string>, before: ReadonlySet<string> = new Set()): void {
	const say = (method: string, uris: ReadonlySet<string>, unless: ReadonlySet<string>): void => {
		for (const uri of uris) if (!unless.has(uri)) link.request(method, { uri }).catch(() => {});
	};
	say("resources/subscribe", now, before);
	say("resources/unsubscribe", before, now);
}
