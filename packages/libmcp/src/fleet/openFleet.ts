import type { HttpEndpoint } from "../http/front/front.ts";
import type { McpEndpoint } from "../http/mcpEndpoint.ts";
import type { Writer } from "../sessions/sessionJournal.ts";
import type { Store } from "../store/store.ts";
import { REAL_WORLD } from "../world/world.ts";
import { FleetEndpoint } from "./fleetEndpoint.ts";
import { findFleetKey } from "./fleetKey.ts";
import { listenToFleet, type Routes } from "./fleetListener.ts";
import { type FleetMember, FleetNode } from "./fleetNode.ts";
import { Forwarder } from "./forwarder.ts";
import { SessionPlaces } from "./sessionPlaces.ts";

export type FleetOptions = {
	readonly store: Store;
	/** Where other nodes reach this one. */
	readonly host: string;
	/** 0 lets the system choose. */
	readonly port: number;
	readonly version: string;
	/** Tells configurations apart. */
	readonly config: string;
	/** The same at every node; default: one that the first node made. */
	readonly key?: string | undefined;
	readonly log: (line: string) => void;
};

/** This process as one of many behind one address. */
export type Fleet = {
	/** As whom this process writes now. */
	readonly writer: () => Writer;
	/** Where this process is one node of the fleet, by its id. */
	readonly id: () => string;
	members(): Promise<readonly FleetMember[]>;
	/** An endpoint that answers at every node for the sessions of all. */
	join(endpoint: McpEndpoint): HttpEndpoint;
	/** Answers what other nodes send here. */
	serve(routes: Routes, sessions: () => number): void;
	/** Hands over what is left. The store stays open. */
	leave(): Promise<void>;
};

/** Joins the fleet of this store; rejects with what prevents it. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
	const { store, host, port, version, config, log } = options;
	const world = REAL_WORLD;
	const key = await findFleetKey(store, world, options.key);
	let node: FleetNode | undefined;
	let routes: Routes = () => undefined;
	let sessions: () => number = () => 0;
	const listener = await listenToFleet({
		key,
		world,
		host,
		port,
		id: () => node?.id,
		routes: (path) => routes(path),
		onUnexpected: (error) => log(`fleet: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
	});
	const about = { address: listener.address, version, config };
	const joined = await FleetNode.join({ store, world, about, sessions: () => sessions(), log }).catch(
		async (error: unknown) => {
			await listener.close();
			throw error;
		},
	);
	node = joined;
	const forwarder = new Forwarder(joined, key, world);
	const parts = { node: joined, places: new SessionPlaces(store, joined), forwarder };
	log(`fleet: this is node ${joined.id} at ${listener.address}`);
	return {
		writer: () => joined.writer,
		id: () => joined.id,
		members: () => joined.members(),
		join: (endpoint) => new FleetEndpoint(endpoint, parts),
		serve: (found, count) => {
			routes = found;
			sessions = count;
		},
		leave: async () => {
			await joined.leave();
			forwarder.close();
			await listener.close();
		},
	};
}
