import { resolve } from "node:path";
import type { World } from "../world/world.ts";
import { memoryTables } from "./memoryTables.ts";
import { openSqlite } from "./openSqlite.ts";
import { readPostgresUrl } from "./postgres/connection.ts";
import type { Store } from "./store.ts";
import { StoreProblem } from "./storeProblem.ts";
import { TableStore } from "./tableStore.ts";

/** The kinds of store that a URL can name, each with how to open it. */
const SCHEMES: Readonly<Record<string, (rest: string, world: World | undefined) => Promise<Store>>> = {
	memory: async (_rest, world) => new TableStore("memory:", memoryTables(), world),
	sqlite: async (rest, world) => openSqlite(resolve(rest), world === undefined ? {} : { world }),
	postgres: async (rest, world) => {
		// Loaded only here: most who use this library have no database.
		const { openPostgres } = await import("./postgres/openPostgres.ts");
		return openPostgres(`postgres:${rest}`, world === undefined ? {} : { world });
	},
};

/** Opens the store of a URL: `memory:`, `sqlite:<file>` or `postgres://…`. */
export async function openStore(url: string, world?: World): Promise<Store> {
	const problem = storeUrlProblem(url);
	if (problem !== undefined) throw new StoreProblem("NO_STORE", problem);
	const [scheme = ""] = url.split(":", 1);
	const open = SCHEMES[scheme];
	if (open === undefined) throw new StoreProblem("NO_STORE", `store: nothing opens ${scheme}:`);
	return open(url.slice(scheme.length + 1), world);
}

/** What is wrong with the URL of a store, or `undefined`. Repeats nothing of it that may be a password. */
export function storeUrlProblem(url: string): string | undefined {
	const [scheme = ""] = url.split(":", 1);
	const expected = "expected memory:, sqlite:<file> or postgres://user:password@host/database";
	if (!url.includes(":") || !Object.hasOwn(SCHEMES, scheme))
		return `store: ${expected}, got ${url === "" ? "nothing" : JSON.stringify(scheme.slice(0, 40))}`;
	if (scheme === "sqlite" && url.length === "sqlite:".length) return `store: ${expected}, got sqlite: without a file`;
	if (scheme === "postgres") {
		try {
			readPostgresUrl(url);
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	}
	return undefined;
}
