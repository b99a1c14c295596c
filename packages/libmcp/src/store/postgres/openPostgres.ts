import type { Client } from "pg";
import { REAL_WORLD, type World } from "../../world/world.ts";
import type { Store } from "../store.ts";
import { StoreProblem } from "../storeProblem.ts";
import { connect, type PostgresPlace, problemOf, readPostgresUrl } from "./connection.ts";
import { PostgresStore } from "./postgresStore.ts";
import { POSTGRES_MIGRATIONS, type PostgresMigration } from "./schema.ts";

export type PostgresOptions = {
	readonly world?: World;
	/** Default: what this program knows. */
	readonly migrations?: readonly PostgresMigration[];
	/** How long a write waits for a server that is away before it is refused. */
	readonly patienceMs?: number;
};

/** `synchronous_commit` may be waited for, generated ids and JSON paths are used, as of this version. */
const OLDEST_SERVER = 150_000;
/** Nodes that start at once migrate one after the other. */
const MIGRATION_LOCK = 0x68667374;

/** Opens the store in this database, making or migrating its schema first. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
	const { world = REAL_WORLD, migrations = POSTGRES_MIGRATIONS, patienceMs } = options;
	const place = readPostgresUrl(url);
	let client: Client | undefined;
	try {
		client = await connect(place);
		await checkServer(client, place);
		await migrate(client, place, migrations);
	} catch (error) {
		throw problemOf(place.name, error);
	} finally {
		await client?.end().catch(() => {
			// It is lost already.
		});
	}
	return new PostgresStore(place, world, patienceMs);
}

async function checkServer(client: Client, { name }: PostgresPlace): Promise<void> {
	const { rows } = await client.query(
		"select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
	);
	if (rows[0].number < OLDEST_SERVER)
		throw new StoreProblem("NO_STORE", `${name}: expected PostgreSQL 15 or newer, got ${rows[0].version}`);
}

async function migrate(
	client: Client,
	{ schema, name }: PostgresPlace,
	migrations: readonly PostgresMigration[],
): Promise<void> {
	// What is up to date is only read, so that a node starts without a right to change the schema.
	if ((await versionOf(client, schema, name, migrations)) === migrations.length) return;
	await client.query("begin");
	await client.query("set local statement_timeout = 0");
	await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
	await client.query(`create schema if not exists ${schema}`);
	await client.query(`create table if not exists ${schema}.about (name text primary key, value text not null)`);
	const version = await versionOf(client, schema, name, migrations);
	for (const { sql } of migrations.slice(version)) await client.query(sql.replaceAll("@", schema));
	const about = { version: String(migrations.length), program: migrations.at(-1)?.program ?? "" };
	for (const [key, value] of Object.entries(about))
		await client.query(
			`insert into ${schema}.about values ($1, $2) on conflict (name) do update set value = excluded.value`,
			[key, value],
		);
	await client.query("commit");
}

/** The number of steps that the schema has had; throws a StoreProblem if a newer program has made steps unknown here. */
async function versionOf(
	client: Client,
	schema: string,
	name: string,
	migrations: readonly PostgresMigration[],
): Promise<number> {
	const { rows: known } = await client.query("select to_regclass($1) is not null as there", [`${schema}.about`]);
	if (!known[0].there) return 0;
	const { rows } = await client.query(`select name, value from ${schema}.about`);
	const about = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
	const version = Number(about.version ?? 0);
	if (version > migrations.length)
		throw new StoreProblem(
			"NEWER",
			`${name}: its schema has version ${version}, this program knows ${migrations.length}; holdfast ${about.program} or newer is needed`,
		);
	return version;
}
