import type { Client, McpSubscription } from "@modelcontextprotocol/client";

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
