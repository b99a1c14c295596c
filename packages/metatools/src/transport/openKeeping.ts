import { createServer } from "node:net";
import { join } from "node:path";
import { fileName } from "libmcp";
import { errorCode, userFolder } from "libmcp/command";
import type { KeepingOptions } from "libmcp/http";
import { openStore, StoreProblem, storeUrlProblem } from "libmcp/store";
import type { Settings } from "../config/settings.ts";

/** An open store, and this process's right to write there. */
export type Keeping = Pick<KeepingOptions, "store" | "fence"> & { close(): Promise<void> };

type Where = Pick<Settings, "store" | "stateless" | "host" | "port">;

/** Nobody else can have a store of this process or a file that is locked, so the name of its owner never changes. */
const OWNER = "gateway";
const LEASE_MS = 10_000;

/** Opens the store for the sessions at this address; undefined where none can be kept. Rejects with what prevents it. */
export async function openKeeping(where: Where): Promise<Keeping | undefined> {
	const url = storeUrlOf(where);
	if (url === undefined) return undefined;
	const store = await openStore(url).catch(async (error: unknown) => {
		// The other process may be a gateway at the same address, which is what a person can tell.
		if (error instanceof StoreProblem && error.code === "IN_USE") await checkFree(where);
		throw error;
	});
	const fence = await store.acquire(OWNER, OWNER, LEASE_MS);
	return { store, ...(fence !== undefined && { fence }), close: () => store.close() };
}

/** Throws an Error naming the setting if it names no store. */
export function checkStore({ store }: Pick<Settings, "store">): void {
	const problem = store === "" ? undefined : storeUrlProblem(store);
	if (problem !== undefined) throw new Error(problem);
}

/** A free port is another one the next time, so nobody could come back to what was kept for it. */
function storeUrlOf({ store, stateless, host, port }: Where): string | undefined {
	if (stateless) return undefined;
	if (store !== "") return store;
	if (port === 0) return undefined;
	return `sqlite:${join(userFolder("state"), "sessions", `${fileName(`${host}-${port}`)}.sqlite`)}`;
}

async function checkFree({ host, port }: Where): Promise<void> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? reject(error) : resolve()));
		server.listen(port, host, () => server.close(() => resolve()));
	});
}
