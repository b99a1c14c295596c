import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileName } from "libmcp";
import { errorCode, userFolder } from "libmcp/command";
import type { Fleet, KeepingOptions } from "libmcp/http";
import { openStore, type Store, StoreProblem, storeUrlProblem } from "libmcp/store";
import type { Config } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { VERSION } from "../server/version.ts";

/** An open store, and this process's right to write there; as a node of a fleet where others can have the same store. */
export type Keeping = Pick<KeepingOptions, "store" | "fence" | "writer"> & {
	readonly fleet?: Fleet;
	close(): Promise<void>;
};

type Where = Pick<Settings, "store" | "stateless" | "host" | "port">;
type Serving = Pick<Config, "settings" | "file">;

/** Nobody else can have a store of this process or a file that is locked, so the name of its owner never changes. */
const OWNER = "gateway";
const LEASE_MS = 10_000;

/** Opens the store for the sessions at this address; undefined where none can be kept. Rejects with what prevents it. */
export async function openKeeping(
	config: Serving,
	log: (line: string) => void = () => {},
): Promise<Keeping | undefined> {
	const where = config.settings;
	const url = storeUrlOf(where);
	if (url === undefined) return undefined;
	const store = await openStore(url).catch(async (error: unknown) => {
		// The other process may be a gateway at the same address, which is what a person can tell.
		if (error instanceof StoreProblem && error.code === "IN_USE") await checkFree(where);
		throw error;
	});
	if (url.startsWith("postgres:")) return joinFleet(store, config, log);
	const fence = await store.acquire(OWNER, OWNER, LEASE_MS);
	return { store, ...(fence !== undefined && { fence }), close: () => store.close() };
}

/** Throws an Error naming the setting if it names no store, or if the fleet's address is none. */
export function checkStore({ store, fleetAddress }: Pick<Settings, "store" | "fleetAddress">): void {
	const problem = store === "" ? undefined : storeUrlProblem(store);
	if (problem !== undefined) throw new Error(problem);
	if (fleetAddress !== "") readAddress(fleetAddress);
}

async function joinFleet(store: Store, { settings, file }: Serving, log: (line: string) => void): Promise<Keeping> {
	const { host, port } =
		settings.fleetAddress === "" ? { host: settings.host, port: 0 } : readAddress(settings.fleetAddress);
	// Loaded only here: most gateways are alone.
	const { openFleet } = await import("libmcp/http");
	try {
		const key = process.env.HOLDFAST_FLEET_KEY;
		const fleet = await openFleet({ store, host, port, version: VERSION, config: digestOf(file), key, log });
		return {
			store,
			fleet,
			writer: fleet.writer,
			close: async () => {
				await fleet.leave();
				await store.close();
			},
		};
	} catch (error) {
		await store.close();
		throw error;
	}
}

/** Nodes whose configuration files differ have different ones. */
function digestOf(file: string | undefined): string {
	if (file === undefined) return "none";
	return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);
}

function readAddress(text: string): { readonly host: string; readonly port: number } {
	const [, host = "", digits = ""] = /^(?:\[?([^\]]+?)\]?):(\d{1,5})$/.exec(text) ?? [];
	const port = Number(digits);
	if (host === "" || digits === "" || port > 65_535)
		throw new Error(`fleet_address: expected HOST:PORT, got ${JSON.stringify(text.slice(0, 80))}`);
	return { host, port };
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
