import type { Pool, QueryResult } from "pg";
import { REAL_WORLD, type World } from "../../world/world.ts";
import type { Allowance, Batch, CallRow, EventRow, Lease, SessionRow, Store, ValueRow } from "../store.ts";
import { StoreProblem } from "../storeProblem.ts";
import { type PostgresPlace, problemOf, settingsFor } from "./connection.ts";
import { GroupWriter } from "./groupWriter.ts";
import { Listener } from "./listener.ts";
import { SWEEP_SQL } from "./schema.ts";
import { decodeText, encodeText } from "./textCoding.ts";

/** For what is no batch: reads, leases and counters. */
const CONNECTIONS = 4;
const SWEEP_MS = 60_000;
/** Part of a statement that need not outlive the server: its commit waits for no disk. */
const UNSYNCED = "set_config('synchronous_commit', 'off', true)";

/** A store that any number of processes share. */
export class PostgresStore implements Store {
	readonly name: string;
	readonly #schema: string;
	readonly #world: World;
	readonly #writer: GroupWriter;
	readonly #listener: Listener;
	readonly #place: PostgresPlace;
	#pool: Promise<Pool> | undefined;
	#stopSweeping: () => void;
	#closing: Promise<void> | undefined;

	constructor(place: PostgresPlace, world: World, patienceMs?: number) {
		this.name = place.name;
		this.#schema = place.schema;
		this.#place = place;
		this.#world = world;
		this.#writer = new GroupWriter(place, world, patienceMs);
		this.#listener = new Listener(place, world);
		this.#stopSweeping = this.#planSweep();
	}

	async write(batch: Batch): Promise<void> {
		this.#checkOpen();
		return this.#writer.write(batch);
	}

	async session(id: string): Promise<SessionRow | undefined> {
		const { rows } = await this.#read(
			'select id, scope, epoch::float8, seen_at::float8 as "seenAt", state, owner from @.session where id = $1',
			[encodeText(id)],
		);
		return rows.map(toSessionRow)[0];
	}

	async kept(session: string): Promise<{ readonly events: readonly EventRow[]; readonly calls: readonly CallRow[] }> {
		const [events, calls] = await Promise.all([
			this.#read(
				"select session, stream::float8, number::float8, text from @.event where session = $1 order by number",
				[encodeText(session)],
			),
			this.#read(
				"select session, call::float8, state, attempts, contract, request from @.call where session = $1 order by call",
				[encodeText(session)],
			),
		]);
		return {
			events: events.rows.map((row) => decodeTexts(row, "session", "text")),
			calls: calls.rows.map((row) => decodeTexts(row, "session", "request")),
		};
	}

	async value(space: string, key: string): Promise<ValueRow | undefined> {
		const { rows } = await this.#read(`${this.#selectValues()} and key = $2`, [encodeText(space), encodeText(key)]);
		return rows.map(toValueRow)[0];
	}

	async values(space: string): Promise<readonly ValueRow[]> {
		const { rows } = await this.#read(this.#selectValues(), [encodeText(space)]);
		return rows.map(toValueRow).toSorted((a, b) => (a.key < b.key ? -1 : 1));
	}

	async take(counter: string, amount: number, { most, windowMs }: Allowance): Promise<number> {
		const { rows } = await this.#ask(
			// The clock is read once: two readings a millisecond apart would begin another window.
			`select @.take_1($1, $2, $3, ${this.#clock} / $4::bigint * $4::bigint)::float8 as granted, ${UNSYNCED}`,
			[encodeText(counter), amount, most, windowMs],
		);
		return rows[0].granted;
	}

	async acquire(lease: string, holder: string, ms: number): Promise<Lease | undefined> {
		const { rows } = await this.#ask(
			`insert into @.lease as held values ($1, $2, 1, ${this.#clock} + $3::bigint)
			on conflict (name) do update set holder = excluded.holder, fence = held.fence + 1, expires_at = excluded.expires_at
			where held.holder = excluded.holder or held.expires_at <= ${this.#clock}
			returning fence::float8`,
			[encodeText(lease), encodeText(holder), ms],
		);
		return rows.length === 0 ? undefined : { lease, holder, fence: rows[0].fence };
	}

	async renew({ lease, fence }: Lease, ms: number): Promise<boolean> {
		return this.#moveEnd(lease, fence, `${this.#clock} + ${Math.trunc(ms)}`);
	}

	async release({ lease, fence }: Lease): Promise<void> {
		await this.#moveEnd(lease, fence, "0");
	}

	async watch(topic: string, heard: (message: string) => void, missed?: () => void): Promise<() => Promise<void>> {
		this.#checkOpen();
		try {
			return await this.#listener.watch(topic, { heard, missed });
		} catch (error) {
			throw problemOf(this.name, error);
		}
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.#stopSweeping();
		await this.#writer.close();
		await Promise.all([this.#listener.close(), this.#pool?.then((pool) => pool.end())]);
	}

	async #moveEnd(lease: string, fence: number, end: string): Promise<boolean> {
		const { rows } = await this.#ask(
			`update @.lease set expires_at = ${end} where name = $1 and fence = $2 returning ${UNSYNCED}`,
			[encodeText(lease), fence],
		);
		return rows.length > 0;
	}

	/** One clock for all nodes: the server's; in a simulation, the simulated one. As SQL, in milliseconds since 1970. */
	get #clock(): string {
		return this.#world === REAL_WORLD
			? "(extract(epoch from clock_timestamp()) * 1000)::bigint"
			: `${this.#world.now()}::bigint`;
	}

	#selectValues(): string {
		return `select space, key, value, expires_at::float8 as "expiresAt" from @.value
			where space = $1 and (expires_at is null or expires_at > ${this.#clock})`;
	}

	/** Sees everything that was written before. */
	async #read(sql: string, values: readonly unknown[]): Promise<QueryResult> {
		this.#checkOpen();
		await this.#writer.settle();
		return this.#query(sql, values);
	}

	async #ask(sql: string, values: readonly unknown[]): Promise<QueryResult> {
		this.#checkOpen();
		return this.#query(sql, values);
	}

	async #query(sql: string, values: readonly unknown[]): Promise<QueryResult> {
		try {
			this.#pool ??= this.#openPool();
			return await (await this.#pool).query(sql.replaceAll("@.", `${this.#schema}.`), [...values]);
		} catch (error) {
			throw problemOf(this.name, error);
		}
	}

	async #openPool(): Promise<Pool> {
		const { Pool: PgPool } = (await import("pg")).default;
		const pool = new PgPool({ ...settingsFor(this.#place), max: CONNECTIONS, allowExitOnIdle: true });
		pool.on("error", () => {
			// An idle connection was cut; the pool makes another when one is needed.
		});
		return pool;
	}

	#planSweep(): () => void {
		return this.#world.after(SWEEP_MS, () => {
			void this.#query(SWEEP_SQL, [this.#world.now()]).catch(() => {
				// The next sweep removes what this one could not.
			});
			this.#stopSweeping = this.#planSweep();
		});
	}

	#checkOpen(): void {
		if (this.#closing !== undefined) throw new StoreProblem("CLOSED", "the store is closed");
	}
}

function toSessionRow({ owner, ...row }: SessionRow & { readonly owner: string | null }): SessionRow {
	const decoded = decodeTexts(row, "id", "scope", "state");
	return owner === null ? decoded : { ...decoded, owner: decodeText(owner) };
}

function toValueRow({ expiresAt, ...row }: ValueRow & { readonly expiresAt: number | null }): ValueRow {
	return { ...decodeTexts(row, "space", "key", "value"), ...(expiresAt === null ? {} : { expiresAt }) };
}

function decodeTexts<Row extends object>(row: Row, ...columns: readonly (keyof Row)[]): Row {
	return { ...row, ...Object.fromEntries(columns.map((column) => [column, decodeText(String(row[column]))])) };
}
