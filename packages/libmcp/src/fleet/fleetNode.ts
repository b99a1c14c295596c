import type { Writer } from "../sessions/sessionJournal.ts";
import type { Lease, Store, ValueRow } from "../store/store.ts";
import type { World } from "../world/world.ts";

/** What a node tells of itself. */
export type NodeDescription = {
	/** Where other nodes reach it. */
	readonly address: string;
	readonly version: string;
	/** The same at every node that has the same configuration. */
	readonly config: string;
	readonly startedAt: number;
};

/** A node of the fleet, as the store has it. */
export type FleetMember = NodeDescription & { readonly id: string; readonly sessions: number };

export type NodeOptions = {
	readonly store: Store;
	readonly world: World;
	readonly about: Omit<NodeDescription, "startedAt">;
	readonly sessions: () => number;
	readonly log: (line: string) => void;
};

type Identity = { readonly id: string; readonly lease: Lease; readonly startedAt: number };

const SPACE = "nodes";
const LEASE_MS = 3_000;
const RENEW_MS = 1_000;
/** Long enough that one slow tick does not take a living node from the list. */
const LISTED_MS = 60_000;
const LIST_EVERY = 10;
/** How long a request waits to learn whether this node was declared dead. */
const CONFIRM_MS = 1_000;

/**
 * This process as a node. Everything it writes carries the fence of its lease, and others take the lease only once it has
 * run out. Ids are used once: a node that lost its lease ends what it serves and joins again as another.
 */
export class FleetNode {
	readonly #options: NodeOptions;
	#identity: Identity;
	#renewedAt: number;
	#ticks = 0;
	#stopTimer: () => void = () => {};
	#renewing: Promise<void> | undefined;
	#isLeaving: boolean = false;
	readonly #onLost = new Set<() => Promise<void>>();

	private constructor(options: NodeOptions, identity: Identity) {
		this.#options = options;
		this.#identity = identity;
		this.#renewedAt = performance.now();
	}

	/** Joins the fleet of this store; rejects with a StoreProblem. */
	static async join(options: NodeOptions): Promise<FleetNode> {
		const node = new FleetNode(options, await takeIdentity(options));
		await node.#list();
		node.#planRenewal();
		return node;
	}

	get id(): string {
		return this.#identity.id;
	}
	/** As whom sessions that begin now are written. */
	get writer(): Writer {
		const { id, lease } = this.#identity;
		return { owner: id, fence: lease };
	}

	/** What must end before this process goes on under another id. Returns how to take it back. */
	onLost(run: () => Promise<void>): () => void {
		this.#onLost.add(run);
		return () => this.#onLost.delete(run);
	}

	/** Resolves once it is known that nobody has declared this node dead, or that nobody can be asked. */
	async confirm(): Promise<void> {
		if (performance.now() - this.#renewedAt < LEASE_MS || this.#isLeaving) return;
		const late = Promise.withResolvers<void>();
		const stop = this.#options.world.after(CONFIRM_MS, () => late.resolve());
		await Promise.race([this.#renew(), late.promise]);
		stop();
	}

	/** Every node of the fleet. */
	async members(): Promise<readonly FleetMember[]> {
		return (await this.#options.store.values(SPACE)).map(readMember);
	}

	/** A node by its id, if the store has it. */
	async member(id: string): Promise<FleetMember | undefined> {
		const row = await this.#options.store.value(SPACE, id);
		return row && readMember(row);
	}

	/** Declares a node dead whose lease has run out, so that it writes nothing more. False while its lease lasts. */
	async declareDead(id: string): Promise<boolean> {
		const { store, log } = this.#options;
		const lease = await store.acquire(`node:${id}`, this.id, 1);
		if (lease === undefined) return false;
		await store.write({ writes: [{ kind: "unset-value", space: SPACE, key: id }], durability: "async" });
		log(`fleet: node ${id} is gone`);
		return true;
	}

	/** Hands over what it has: others need not wait until its lease runs out. */
	async leave(): Promise<void> {
		this.#isLeaving = true;
		this.#stopTimer();
		await this.#renewing;
		const { store } = this.#options;
		await store
			.write({ writes: [{ kind: "unset-value", space: SPACE, key: this.id }], durability: "async" })
			.then(() => store.release(this.#identity.lease))
			.catch(() => {
				// The lease runs out by itself, and the row soon after.
			});
	}

	#planRenewal(): void {
		this.#stopTimer = this.#options.world.after(RENEW_MS, () => {
			void this.#renew().then(() => {
				if (!this.#isLeaving) this.#planRenewal();
			});
		});
	}

	#renew(): Promise<void> {
		this.#renewing ??= this.#renewOnce().finally(() => {
			this.#renewing = undefined;
		});
		return this.#renewing;
	}

	async #renewOnce(): Promise<void> {
		const began = performance.now();
		try {
			if (await this.#options.store.renew(this.#identity.lease, LEASE_MS)) {
				const wasAway = began - this.#renewedAt > LEASE_MS;
				this.#renewedAt = began;
				if (++this.#ticks % LIST_EVERY === 0 || wasAway) await this.#list();
			} else await this.#rejoin();
		} catch {
			// The store is away. Nobody can take the lease there either, so this node goes on with what it has.
		}
	}

	async #rejoin(): Promise<void> {
		const { log } = this.#options;
		log(`fleet: node ${this.id} was declared dead; its sessions go on elsewhere, and it joins again`);
		await Promise.all([...this.#onLost].map((run) => run()));
		this.#identity = await takeIdentity(this.#options);
		this.#renewedAt = performance.now();
		await this.#list();
	}

	async #list(): Promise<void> {
		const { store, world, about, sessions } = this.#options;
		const { id, startedAt, lease } = this.#identity;
		const value = JSON.stringify({ ...about, startedAt, sessions: sessions() });
		const row = { space: SPACE, key: id, value, expiresAt: world.now() + LISTED_MS };
		await store.write({ writes: [{ kind: "set-value", row }], durability: "async", fence: lease });
	}
}

async function takeIdentity({ store, world }: Pick<NodeOptions, "store" | "world">): Promise<Identity> {
	const id = world.randomId(9);
	const lease = await store.acquire(`node:${id}`, id, LEASE_MS);
	if (lease === undefined) return takeIdentity({ store, world });
	return { id, lease, startedAt: world.now() };
}

function readMember({ key, value }: ValueRow): FleetMember {
	return { ...(JSON.parse(value) as Omit<FleetMember, "id">), id: key };
}
