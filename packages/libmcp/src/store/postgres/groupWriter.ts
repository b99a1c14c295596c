import type { Client } from "pg";
import type { World } from "../../world/world.ts";
import type { Batch } from "../store.ts";
import { StoreProblem, type StoreProblemCode } from "../storeProblem.ts";
import { connect, type PostgresPlace, problemOf } from "./connection.ts";
import { encodeTexts } from "./textCoding.ts";

/** Batches that share a transaction. They stay here until the database cannot lose them any more. */
type Group = { readonly number: number; readonly batches: readonly Waiting[] };
type Waiting = {
	readonly batch: Batch;
	readonly resolve: () => void;
	readonly reject: (problem: StoreProblem) => void;
};
type Result = null | { readonly code: string; readonly message: string };

/** The codes that the database's function raises. */
const PROBLEMS: Readonly<Record<string, StoreProblemCode>> = {
	HF001: "FENCE_LOST",
	HF002: "OUT_OF_ORDER",
	HF003: "CHANGED_MEANWHILE",
};
/** Each batch is a subtransaction, of which the database keeps sixty-four at hand. */
const LARGEST_GROUP = 60;
const FLUSH_AFTER_MS = 200;
const RETRY_MS = 100;
/** How long a write waits for a database that is away, unless it is told otherwise. */
const PATIENCE_MS = 5_000;

/**
 * Writes batches in the order they come, all that wait in one transaction, which is not flushed. A second connection then
 * flushes for those that asked to outlive the machine. A database that ends before has lost its last transactions, but not
 * this process: it writes them again. So every batch takes effect exactly once unless both end at the same time.
 */
export class GroupWriter {
	readonly #place: PostgresPlace;
	readonly #world: World;
	readonly #id: string;
	readonly #patienceMs: number;
	#waiting: Waiting[] = [];
	/** Applied, and lost if the database ends now; in order. */
	#unflushed: Group[] = [];
	#unsynced: { readonly waiting: Waiting; readonly number: number }[] = [];
	#next = 1;
	#client: Client | undefined;
	#flusher: Client | undefined;
	#isWriting: boolean = false;
	#isFlushing: boolean = false;
	#isFlushPlanned: boolean = false;
	#awaySince: number | undefined;
	#idle: (() => void)[] = [];

	constructor(place: PostgresPlace, world: World, patienceMs: number = PATIENCE_MS) {
		this.#place = place;
		this.#world = world;
		this.#id = world.randomId(12);
		this.#patienceMs = patienceMs;
	}

	write(batch: Batch): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#waiting.push({ batch, resolve, reject });
			this.#begin();
		});
	}

	/** Resolves once everything that was given so far is applied, or refused. */
	async settle(): Promise<void> {
		if (!this.#isWriting && this.#waiting.length === 0) return;
		await new Promise<void>((resolve) => this.#idle.push(resolve));
	}

	async close(): Promise<void> {
		await this.settle();
		if (this.#unflushed.length > 0) await this.#flush();
		await Promise.all([this.#client, this.#flusher].map((client) => client?.end().catch(ignoreLost)));
	}

	#begin(): void {
		if (this.#isWriting) return;
		this.#isWriting = true;
		this.#world.soon(() => void this.#writeAll());
	}

	async #writeAll(): Promise<void> {
		while (this.#waiting.length > 0) {
			const group: Group = { number: this.#next++, batches: this.#waiting.splice(0, LARGEST_GROUP) };
			try {
				this.#report(group, await this.#applyPatiently(group));
			} catch (error) {
				const problem = problemOf(this.#place.name, error);
				for (const { reject } of group.batches) reject(problem);
			}
		}
		this.#isWriting = false;
		for (const resolve of this.#idle.splice(0)) resolve();
	}

	/** While the database is away, the same group is sent again and again; then everything is refused at once until it is back. */
	async #applyPatiently(group: Group): Promise<readonly Result[]> {
		for (;;) {
			try {
				const results = await this.#apply(group);
				this.#awaySince = undefined;
				return results;
			} catch (error) {
				this.#dropClient();
				const problem = problemOf(this.#place.name, error);
				this.#awaySince ??= this.#world.now();
				if (!problem.isTemporary || this.#world.now() - this.#awaySince >= this.#patienceMs) throw problem;
				await new Promise<void>((resolve) => this.#world.after(RETRY_MS, resolve));
			}
		}
	}

	async #apply(group: Group): Promise<readonly Result[]> {
		this.#client ??= await this.#connectAndCatchUp();
		const results = await this.#send(this.#client, group);
		this.#unflushed.push(group);
		return results;
	}

	async #send(client: Client, { number, batches }: Group): Promise<readonly Result[]> {
		const { schema } = this.#place;
		const texts = JSON.stringify(batches.map(({ batch: { writes, fence } }) => encodeTexts({ writes, fence })));
		const { rows } = await client.query({
			name: `apply-${schema}`,
			text: `select set_config('synchronous_commit', 'off', true), ${schema}.apply_1($1, $2, $3::jsonb) as results`,
			values: [this.#id, number, texts],
		});
		return rows[0].results;
	}

	/** What a database that ended has lost is written again, before anything that comes after it. */
	async #connectAndCatchUp(): Promise<Client> {
		const client = await connect(this.#place, () => {
			if (this.#client === client) this.#client = undefined;
		});
		try {
			// The row must be there before the first group: whoever applies one locks it.
			const { rows } = await client.query(
				`insert into ${this.#place.schema}.writer as known values ($1, 0, '[]', now())
				on conflict (id) do update set seen_at = now() returning known.last::float8`,
				[this.#id],
			);
			const last: number = rows[0].last;
			for (const group of this.#unflushed) if (group.number > last) await this.#send(client, group);
			return client;
		} catch (error) {
			void client.end().catch(ignoreLost);
			throw error;
		}
	}

	#report({ number, batches }: Group, results: readonly Result[]): void {
		for (const [index, waiting] of batches.entries()) {
			const result = results[index] ?? null;
			if (result !== null) waiting.reject(new StoreProblem(PROBLEMS[result.code] ?? "OUT_OF_ORDER", result.message));
			else if (waiting.batch.durability === "sync") this.#unsynced.push({ waiting, number });
			else waiting.resolve();
		}
		if (this.#unsynced.length > 0) void this.#flush();
		else this.#planFlush();
	}

	/** Also what nobody waits for is flushed before long, so that little is kept. */
	#planFlush(): void {
		if (this.#isFlushPlanned) return;
		this.#isFlushPlanned = true;
		this.#world.after(FLUSH_AFTER_MS, () => {
			this.#isFlushPlanned = false;
			if (this.#unflushed.length > 0) void this.#flush();
		});
	}

	async #flush(): Promise<void> {
		if (this.#isFlushing) return;
		this.#isFlushing = true;
		do {
			const upTo = this.#unflushed.at(-1)?.number ?? 0;
			const group = this.#unsynced.filter(({ number }) => number <= upTo);
			this.#unsynced = this.#unsynced.filter(({ number }) => number > upTo);
			try {
				await this.#flushOnce();
				// What was applied when the flush began is safe; a group that is being applied is not.
				this.#unflushed = this.#unflushed.filter(({ number }) => number > upTo);
				for (const { waiting } of group) waiting.resolve();
			} catch (error) {
				const problem = problemOf(this.#place.name, error);
				for (const { waiting } of group) waiting.reject(problem);
			}
		} while (this.#unsynced.length > 0);
		this.#isFlushing = false;
		if (this.#unflushed.length > 0) this.#planFlush();
	}

	/** A synchronous commit makes everything durable that was committed before it. */
	async #flushOnce(): Promise<void> {
		const began = this.#world.now();
		for (;;) {
			try {
				const client = this.#client;
				const isNew = this.#flusher === undefined;
				this.#flusher ??= await this.#connectFlusher();
				await this.#flusher.query("select pg_logical_emit_message(true, 'holdfast', '')");
				// A database that ended has cut every connection. One that is new saw no end before it was made; the writer's did.
				if (isNew) await client?.query("select 1");
				// What the database may have lost meanwhile is written again before it counts as flushed.
				if (client !== undefined && this.#client === client) return;
				await this.#catchUp();
			} catch (error) {
				const flusher = this.#flusher;
				this.#flusher = undefined;
				void flusher?.end().catch(ignoreLost);
				const problem = problemOf(this.#place.name, error);
				if (!problem.isTemporary || this.#world.now() - began >= this.#patienceMs) throw problem;
			}
			await new Promise<void>((resolve) => this.#world.after(RETRY_MS, resolve));
		}
	}

	async #catchUp(): Promise<void> {
		if (this.#isWriting) return;
		this.#isWriting = true;
		try {
			this.#client ??= await this.#connectAndCatchUp();
		} finally {
			this.#isWriting = false;
			if (this.#waiting.length > 0) this.#begin();
			else for (const resolve of this.#idle.splice(0)) resolve();
		}
	}

	async #connectFlusher(): Promise<Client> {
		const client = await connect(this.#place, () => {
			if (this.#flusher === client) this.#flusher = undefined;
		});
		await client.query(
			"select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')",
		);
		return client;
	}

	#dropClient(): void {
		const client = this.#client;
		this.#client = undefined;
		void client?.end().catch(ignoreLost);
	}
}

function ignoreLost(): void {
	// The connection is lost already; there is nothing left to end.
}
