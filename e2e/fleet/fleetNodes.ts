// Nodes of a fleet as child processes, each with a home of its own, all with the same configuration and store.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newPlace, type Place } from "../place.ts";
import { PostgresCluster } from "../postgresCluster.ts";
import { HOLDFAST } from "../runningProduct.ts";
import { until } from "../until.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

const SERVER = fileURLToPath(new URL("../fixtures/effectServer.ts", import.meta.url));

export type RunningNode = {
	readonly address: string;
	readonly port: number;
	readonly pid: number;
	/** What it printed on standard error since it was first started. */
	log(): string;
	signal(name: NodeJS.Signals): void;
	/** Ends it with this signal and waits until it has ended. */
	end(name: "SIGKILL" | "SIGTERM"): Promise<void>;
	/** Starts it again at its address. */
	start(): Promise<void>;
};

export type RunningFleet = {
	readonly database: PostgresCluster;
	readonly nodes: readonly RunningNode[];
	readonly balancer: Balancer;
	/** The ids of the calls that had an effect, once for each. */
	effects(): readonly string[];
	close(): Promise<void>;
};

/** Starts so many nodes, a PostgreSQL and a balancer. */
export async function startFleet(count: number): Promise<RunningFleet> {
	const database = await PostgresCluster.start();
	const places = Array.from({ length: count }, newPlace);
	const effects = join(places[0]?.folder ?? "", "effects");
	writeFileSync(effects, "");
	const args = ["--disable-warning=ExperimentalWarning", SERVER, effects];
	const config = {
		mcpServers: { effects: { command: process.execPath, args } },
		quarantine: { trust: ["effects"] },
		store: database.url,
	};
	for (const { configFile } of places) writeFileSync(configFile, JSON.stringify(config));
	const nodes = await Promise.all(places.map(startNode));
	const balancer = await startBalancer(nodes.map(({ port }) => port));
	return {
		database,
		nodes,
		balancer,
		effects: () => readFileSync(effects, "utf8").split("\n").filter(Boolean),
		close: async () => {
			await balancer.close();
			for (const node of nodes) node.signal("SIGCONT");
			await Promise.all(nodes.map((node) => node.end("SIGKILL")));
			for (const place of places) {
				await until(() => place.living().length === 0, "nothing is left of a node");
				place.remove();
			}
			await database.close();
		},
	};
}

async function startNode(place: Place): Promise<RunningNode> {
	const port = await freePort();
	const address = `http://127.0.0.1:${port}`;
	let log = "";
	const start = async () => {
		const args = [HOLDFAST, "up", "--bare", "--no-index", "--port", String(port), "--repo", place.repository];
		const child = spawn(process.execPath, args, {
			env: place.environment,
			stdio: ["ignore", "ignore", "pipe"],
			detached: true,
		});
		child.stderr.on("data", (chunk: Buffer) => {
			log = (log + chunk.toString()).slice(-100_000);
		});
		const ended = Promise.withResolvers<void>();
		child.once("exit", () => ended.resolve());
		const isUp = async (): Promise<boolean> => {
			if (child.exitCode !== null) throw new Error(`holdfast up ended: ${log}`);
			return fetch(`${address}/readyz`).then(
				({ ok }) => ok,
				() => false,
			);
		};
		await until(isUp, "the node is ready");
		if (child.pid === undefined) throw new Error(log);
		return { child, pid: child.pid, ended: ended.promise };
	};
	let running = await start();
	const signal = (name: NodeJS.Signals): void => {
		const { child, pid } = running;
		if (child.exitCode === null && child.signalCode === null) process.kill(pid, name);
	};
	return {
		address,
		port,
		get pid() {
			return running.pid;
		},
		log: () => log,
		signal,
		end: async (name) => {
			signal(name);
			await running.ended;
		},
		start: async () => {
			running = await start();
		},
	};
}

async function freePort(): Promise<number> {
	const server = createServer();
	const listening = Promise.withResolvers<void>();
	server.listen(0, "127.0.0.1", listening.resolve);
	await listening.promise;
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === "object" && address !== null ? address.port : 0;
}
