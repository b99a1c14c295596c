import { REAL_WORLD, type World } from "../world/world.ts";
import { ALL_SESSIONS, applyWrite, readRow } from "./applyWrite.ts";
import { acquireLease, checkFence, renewLease } from "./leases.ts";
import type { Allowance, Batch, CallRow, EventRow, Lease, SessionRow, Store, ValueRow } from "./store.ts";
import { StoreProblem } from "./storeProblem.ts";
import type { Rows, Tables } from "./tables.ts";
import { takeFrom } from "./takeFrom.ts";

type Part = <Result>(work: () => Result) => Result;
type Waiting = { readonly batch: Batch; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** A store over tables of this process. Batches that arrive in the same turn share one transaction. */
export class TableStore implements Store {
	readonly name: string;
	readonly #tables: Tables;
	readonly #world: World;
	#waiting: Waiting[] = [];
	/** Those whose batch is committed, but not yet safe from the end of the machine. */
	#unsynced: Waiting[] = [];
	#isSyncing: boolean = false;
	#isClosed: boolean = false;
	readonly #watchers = new Map<string, Set<(message: string) => void>>();

	constructor(name: string, tables: Tables, world: World = REAL_WORLD) {
		this.name = name;
		this.#tables = tables;
		this.#world = world;
	}

	write(batch: Batch): Promise<void> {
		if (this.#isClosed) return Promise.reject(closed());
		return new Promise((resolve, reject) => {
			if (this.#waiting.length === 0) this.#world.soon(() => this.#commit());
			this.#waiting.push({ batch, resolve, reject });
		});
	}

	async session(id: string): Promise<SessionRow | undefined> {
		return readRow<SessionRow>(this.#current().get("session", ALL_SESSIONS, id));
	}

	async kept(session: string): Promise<{ readonly events: readonly EventRow[]; readonly calls: readonly CallRow[] }> {
		const rows = this.#current();
		const events = rows.list("event", session).map(({ value }) => JSON.parse(value) as EventRow);
		const calls = rows.list("call", session).map(({ value }) => JSON.parse(value) as CallRow);
		return {
			events: events.toSorted((a, b) => a.number - b.number),
			calls: calls.toSorted((a, b) => a.call - b.call),
		};
	}

	async value(space: string, key: string): Promise<ValueRow | undefined> {
		const row = readRow<ValueRow>(this.#current().get("value", space, key));
		return row === undefined || this.#hasExpired(row) ? undefined : row;
	}

	async values(space: string): Promise<readonly ValueRow[]> {
		const rows = this.#current().list("value", space);
		const values = rows.map(({ value }) => JSON.parse(value) as ValueRow).filter((row) => !this.#hasExpired(row));
		return values.toSorted((a, b) => (a.key < b.key ? -1 : 1));
	}

	async take(counter: string, amount: number, allowance: Allowance): Promise<number> {
		return this.#change((rows) => takeFrom(rows, counter, amount, { ...allowance, now: this.#world.now() }));
	}

	async acquire(lease: string, holder: string, ms: number): Promise<Lease | undefined> {
		return this.#change((rows) => acquireLease(rows, lease, { holder, ms, now: this.#world.now() }));
	}

	async renew(lease: Lease, ms: number): Promise<boolean> {
		return this.#change((rows) => renewLease(rows, lease, this.#world.now() + ms));
	}

	async release(lease: Lease): Promise<void> {
		this.#change((rows) => renewLease(rows, lease, 0));
	}

	async watch(topic: string, heard: (message: string) => void): Promise<() => Promise<void>> {
		const known = this.#watchers.get(topic) ?? new Set();
		this.#watchers.set(topic, known);
		// A function of its own, so that the same one may watch twice.
		const watcher = (message: string): void => heard(message);
		known.add(watcher);
		return async () => {
			known.delete(watcher);
			if (known.size === 0 && this.#watchers.get(topic) === known) this.#watchers.delete(topic);
		};
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#commit();
		this.#isClosed = true;
		await this.#tables.sync().catch(() => {});
		this.#tables.close();
	}

	/** The rows after everything that waits, so that a read sees what was written before it. */
	#current(): Pick<Rows, "get" | "list"> {
		if (this.#isClosed) throw closed();
		this.#commit();
		return this.#tables.rows;
	}

	#change<Result>(work: (rows: Rows) => Result): Result {
		if (this.#isClosed) throw closed();
		this.#commit();
		let result: { readonly value: Result } | undefined;
		this.#tables.transact((rows) => {
			result = { value: work(rows) };
		});
		if (result === undefined) throw new StoreProblem("UNAVAILABLE", `${this.name}: the transaction did not run`);
		return result.value;
	}

	#commit(): void {
		const group = this.#waiting;
		if (group.length === 0) return;
		this.#waiting = [];
		const refused = new Map<Waiting, unknown>();
		try {
			this.#tables.transact((rows, part) => {
				for (const waiting of group) {
					const problem = problemOf(() => this.#apply(rows, part, waiting.batch));
					if (problem instanceof StoreProblem && !problem.isTemporary) refused.set(waiting, problem);
					else if (problem !== undefined) throw problem;
				}
			});
		} catch (error) {
			for (const waiting of group) waiting.reject(error);
			return;
		}
		for (const waiting of group) {
			const problem = refused.get(waiting);
			if (problem !== undefined) waiting.reject(problem);
			else if (waiting.batch.durability === "sync") this.#unsynced.push(waiting);
			else waiting.resolve();
			if (problem === undefined) this.#publish(waiting.batch);
		}
		void this.#syncAll();
	}

	#apply(rows: Rows, part: Part, { writes, fence }: Batch): void {
		if (fence !== undefined) checkFence(rows, fence);
		const all = (): void => {
			for (const write of writes) if (write.kind !== "publish") applyWrite(rows, write);
		};
		// A single change needs no way back: it is refused before it changes anything.
		if (writes.length > 1) part(all);
		else all();
	}

	async #syncAll(): Promise<void> {
		if (this.#isSyncing) return;
		this.#isSyncing = true;
		while (this.#unsynced.length > 0) {
			const group = this.#unsynced;
			this.#unsynced = [];
			const problem = await this.#tables.sync().then(
				() => undefined,
				(error: unknown) => new StoreProblem("UNAVAILABLE", `${this.name}: cannot be synced`, { cause: error }),
			);
			for (const { resolve, reject } of group) {
				if (problem === undefined) resolve();
				else reject(problem);
			}
		}
		this.#isSyncing = false;
	}

	#publish({ writes }: Batch): void {
		for (const write of writes) {
			if (write.kind !== "publish") continue;
			for (const heard of this.#watchers.get(write.topic) ?? []) this.#world.soon(() => heard(write.message));
		}
	}

	#hasExpired({ expiresAt }: ValueRow): boolean {
		return expiresAt !== undefined && expiresAt <= this.#world.now();
	}
}

function problemOf(work: () => void): unknown {
	try {
		work();
		return undefined;
	} catch (error) {
		return error;
	}
}

function closed(): StoreProblem {
	return new StoreProblem("CLOSED", "the store is closed");
}
