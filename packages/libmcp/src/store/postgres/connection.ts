import type { Client, ClientConfig } from "pg";
import { StoreProblem } from "../storeProblem.ts";

/** How to reach a database, and which of its schemas is ours. */
export type PostgresPlace = {
	readonly url: string;
	readonly schema: string;
	/** Names the database in messages, without user and password. */
	readonly name: string;
};

const DEFAULT_SCHEMA = "holdfast";
/** A server that does not answer in this time is away: frozen, or behind a cut line. */
const ANSWER_MS = 5_000;

/** Reads `postgres://user:password@host:port/database?schema=name`; throws a StoreProblem that repeats no password. */
export function readPostgresUrl(text: string): PostgresPlace {
	if (!URL.canParse(text))
		throw new StoreProblem("NO_STORE", "store: expected postgres://user:password@host/database, got no URL");
	const url = new URL(text);
	const schema = url.searchParams.get("schema") ?? DEFAULT_SCHEMA;
	url.searchParams.delete("schema");
	if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
		throw new StoreProblem(
			"NO_STORE",
			`store: expected a schema of small letters, digits and _, got ${JSON.stringify(schema)}`,
		);
	if (url.hostname === "") throw new StoreProblem("NO_STORE", "store: expected postgres:// with a host, got none");
	return {
		url: url.href,
		schema,
		name: `postgres://${url.host}${url.pathname}${schema === DEFAULT_SCHEMA ? "" : ` (${schema})`}`,
	};
}

/** Connects, for one query at a time. `lost` is called once when the connection that was made ends. */
export async function connect(place: PostgresPlace, lost: () => void = () => {}): Promise<Client> {
	// Loaded only here: most who use this library have no database.
	const { Client: PgClient } = (await import("pg")).default;
	const client = new PgClient(settingsFor(place));
	let isUp: boolean = false;
	const end = (): void => {
		if (isUp) lost();
		isUp = false;
	};
	client.on("error", end).on("end", end);
	await client.connect();
	isUp = true;
	return client;
}

export function settingsFor({ url }: PostgresPlace): ClientConfig {
	return {
		connectionString: url,
		application_name: "holdfast",
		connectionTimeoutMillis: ANSWER_MS,
		query_timeout: ANSWER_MS,
		// Whoever is cut off must not hold locks for longer.
		statement_timeout: ANSWER_MS,
		idle_in_transaction_session_timeout: ANSWER_MS,
		keepAlive: true,
	};
}

/** What a failed query means to the user of the store. */
export function problemOf(name: string, error: unknown): StoreProblem {
	if (error instanceof StoreProblem) return error;
	const code = codeOf(error);
	const text = error instanceof Error ? error.message : String(error);
	if (isAway(code)) return new StoreProblem("UNAVAILABLE", `${name}: ${text}`, { cause: error });
	return new StoreProblem("NO_STORE", `${name}: ${text}${code === "" ? "" : ` (${code})`}`, { cause: error });
}

/**
 * Errors of the server's have five letters. Of these the classes for connections, resources, interventions and system
 * errors pass, as does a server that only reads: it is about to be promoted, or another is. What has no such code is the network's.
 */
function isAway(code: string): boolean {
	if (!/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]{4}$/.test(code)) return true;
	return /^(?:08|40|53|55|57|58)/.test(code) || code === "25006" || code === "XX000";
}

function codeOf(error: unknown): string {
	return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
		? error.code
		: "";
}
