import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../contract/json.ts";
import type { Connection } from "./connect/connection.ts";

/** What a server offers besides tools: each list with its method and its member in the answer. */
const OFFER_LISTS = {
	prompts: { method: "prompts/list", member: "prompts", capability: "prompts" },
	resources: { method: "resources/list", member: "resources", capability: "resources" },
	templates: { method: "resources/templates/list", member: "resourceTemplates", capability: "resources" },
} as const;

export type OfferKind = keyof typeof OFFER_LISTS;

/** What a server tells of its prompts and resources. */
export type OfferNews =
	| { readonly kind: "prompts" | "resources" }
	/** A watched resource has changed. */
	| { readonly kind: "updated"; readonly uri: string };

const MAX_PAGES = 500;
const MAX_ITEMS = 10_000;
const MAX_CHARS = 32_000_000;
const NEEDED: Readonly<Record<OfferKind, readonly string[]>> = {
	prompts: ["name"],
	resources: ["uri", "name"],
	templates: ["uriTemplate", "name"],
};

/** The lists of one server, read when they are first asked for, and kept while the server is away. */
export class ServerOffers {
	readonly #lists = new Map<OfferKind, { readonly of: Connection; readonly items: Promise<readonly JsonObject[]> }>();
	readonly #last = new Map<OfferKind, readonly JsonObject[]>();

	/** Reads a list, at most once for each connection until the server tells of a change. */
	async list(kind: OfferKind, connection: Connection | undefined, signal: AbortSignal): Promise<readonly JsonObject[]> {
		if (connection === undefined) return this.#last.get(kind) ?? [];
		let known = this.#lists.get(kind);
		if (known?.of !== connection) {
			const items = readList(kind, connection, signal);
			known = { of: connection, items };
			this.#lists.set(kind, known);
			items.catch(() => this.#lists.delete(kind));
		}
		try {
			const items = await known.items;
			this.#last.set(kind, items);
			return items;
		} catch (thrown) {
			const last = this.#last.get(kind);
			if (last === undefined || signal.aborted) throw thrown;
			return last;
		}
	}

	forget(kind: "prompts" | "resources"): void {
		this.#lists.delete(kind);
		if (kind === "resources") this.#lists.delete("templates");
	}
}

/** Reads every page, within limits no honest server reaches. An item without its name or address is left out. */
async function readList(kind: OfferKind, connection: Connection, signal: AbortSignal): Promise<readonly JsonObject[]> {
	const { method, member, capability } = OFFER_LISTS[kind];
	if (!isObject(connection.capabilities[capability])) return [];
	const items: JsonObject[] = [];
	const seen = new Set<string>();
	let chars = 0;
	let cursor: string | undefined;
	for (let page = 0; page < MAX_PAGES; page++) {
		const answer = await connection.request(method, cursor === undefined ? {} : { cursor }, signal);
		const listed = isObject(answer) ? answer[member] : undefined;
		for (const item of Array.isArray(listed) ? listed : []) {
			if (!isObject(item) || NEEDED[kind].some((name) => typeof item[name] !== "string" || item[name] === "")) continue;
			chars += JSON.stringify(item).length;
			if (items.length >= MAX_ITEMS || chars > MAX_CHARS) return items;
			items.push(item);
		}
		const next = isObject(answer) ? answer.nextCursor : undefined;
		if (typeof next !== "string" || next === "" || seen.has(next)) return items;
		seen.add(next);
		cursor = next;
	}
	return items;
}

/** How long to wait before a subscription that broke is opened again. */
const AGAIN_MS = 2_000;

/** The resources of one connection that somebody watches. A server is told only what differs from before. */
export class WatchedResources {
	readonly #client: Client;
	#uris: ReadonlySet<string> = new Set();
	#subscription: McpSubscription | undefined;
	/** Changes take effect one after the other, or a slow answer to an older one would undo a newer. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(client: Client) {
		this.#client = client;
	}

	watch(uris: ReadonlySet<string>): void {
		const { resources } = this.#client.getServerCapabilities() ?? {};
		if (resources?.subscribe !== true) return;
		this.#turn = this.#turn
			.then(() => this.#change(uris))
			.catch(() => {
				// The server refuses, or is away; the next connection is told anew.
			});
	}

	async #change(uris: ReadonlySet<string>): Promise<void> {
		const before = this.#uris;
		const [begun, ended] = [[...uris].filter((uri) => !before.has(uri)), [...before].filter((uri) => !uris.has(uri))];
		if (begun.length === 0 && ended.length === 0) return;
		this.#uris = uris;
		if (this.#client.getProtocolEra() === "modern") {
			const old = this.#subscription;
			this.#subscription = uris.size === 0 ? undefined : await this.#listen(uris);
			await old?.close();
			return;
		}
		for (const uri of begun) await this.#client.subscribeResource({ uri }).catch(() => {});
		for (const uri of ended) await this.#client.unsubscribeResource({ uri }).catch(() => {});
	}

	async #listen(uris: ReadonlySet<string>): Promise<McpSubscription> {
		const opened = await this.#client.listen({ resourceSubscriptions: [...uris] });
		void opened.closed.then((how) => {
			if (how === "local" || this.#subscription !== opened) return;
			this.#uris = new Set();
			setTimeout(() => this.watch(uris), AGAIN_MS).unref();
		});
		return opened;
	}
}
