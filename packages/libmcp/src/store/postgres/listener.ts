import type { Client } from "pg";
import type { World } from "../../world/world.ts";
import { connect, type PostgresPlace } from "./connection.ts";
import { decodeText, encodeText } from "./textCoding.ts";

type Watcher = { readonly heard: (message: string) => void; readonly missed: (() => void) | undefined };
type Notice = { readonly topic: string; readonly message?: string; readonly large?: number };

const RETRY_MS = 250;

/** Hears what all nodes publish, on a connection of its own. One that was cut is made again, and the watchers are told. */
export class Listener {
	readonly #place: PostgresPlace;
	readonly #world: World;
	readonly #watchers = new Map<string, Set<Watcher>>();
	#client: Promise<Client> | undefined;
	#isClosed: boolean = false;
	/** Notices are handed on in their order, also when one has to be read first. */
	#tail: Promise<void> = Promise.resolve();

	constructor(place: PostgresPlace, world: World) {
		this.#place = place;
		this.#world = world;
	}

	async watch(topic: string, watcher: Watcher): Promise<() => Promise<void>> {
		await this.#listen();
		const key = encodeText(topic);
		const known = this.#watchers.get(key) ?? new Set();
		this.#watchers.set(key, known);
		const own = { ...watcher };
		known.add(own);
		return async () => {
			known.delete(own);
			if (known.size === 0 && this.#watchers.get(key) === known) this.#watchers.delete(key);
		};
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		const client = await this.#client?.catch(() => undefined);
		await client?.end().catch(() => {
			// It is lost already.
		});
	}

	#listen(): Promise<Client> {
		this.#client ??= this.#connect();
		return this.#client;
	}

	async #connect(): Promise<Client> {
		try {
			const client = await connect(this.#place, () => this.#reconnect());
			client.on("notification", ({ payload }) => this.#hear(client, payload ?? ""));
			await client.query(`listen ${this.#place.schema}`);
			return client;
		} catch (error) {
			this.#client = undefined;
			throw error;
		}
	}

	#reconnect(): void {
		this.#client = undefined;
		if (this.#isClosed || this.#watchers.size === 0) return;
		this.#world.after(RETRY_MS, () => {
			if (this.#isClosed) return;
			this.#listen().then(
				() => this.#tellMissed(),
				() => this.#reconnect(),
			);
		});
	}

	#tellMissed(): void {
		for (const watchers of this.#watchers.values()) for (const { missed } of watchers) missed?.();
	}

	#hear(client: Client, payload: string): void {
		const { topic, message, large } = JSON.parse(payload) as Notice;
		const watchers = this.#watchers.get(topic);
		if (watchers === undefined) return;
		this.#tail = this.#tail.then(async () => {
			const text = message ?? (await this.#readLarge(client, large));
			if (text === undefined) this.#tellMissed();
			else for (const { heard } of [...watchers]) heard(decodeText(text));
		});
	}

	async #readLarge(client: Client, id: number | undefined): Promise<string | undefined> {
		try {
			const { rows } = await client.query(`select text from ${this.#place.schema}.message where id = $1`, [id]);
			return rows[0]?.text;
		} catch {
			// The connection is lost; the watchers hear that they may have missed something.
			return undefined;
		}
	}
}
