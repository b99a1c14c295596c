// Mixed load over HTTP and stdio while workers are killed, rolled out and reconfigured and clients vanish.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { seededRandom } from "libmcp/testing";
import { firstClient, type GatewayClient, modernClient, stdioClient } from "./clients.ts";
import { newPlace } from "./place.ts";
import { HOLDFAST, startProduct } from "./runningProduct.ts";
import { debuggerOf, liveMegabytes } from "./soak/liveHeap.ts";
import { ProcessGauge, trend } from "./soak/processGauge.ts";
import { Tally } from "./soak/tally.ts";
import { until } from "./until.ts";

const MINUTES = Number(process.env.HOLDFAST_SOAK_MINUTES ?? 1);
/** Shorter runs are mostly warm-up, and only print their slopes. */
const SLOPES_COUNT_FROM = 7;
const LEDGER = fileURLToPath(new URL("./fixtures/ledgerServer.ts", import.meta.url));
const TROUBLE_EVERY_MS = 900;
const WEIGH_EVERY_MS = 20_000;
/** MB a minute: the console's history fills up, and sessions of clients that left are kept for half an hour. */
const FILLS_BY = 0.8;
/** Two deaths of one worker this far apart cannot both hit the same short call. */
const SPARED_MS = 8_000;

test(`${MINUTES} minutes of mixed load and trouble lose and double no call`, {
	timeout: MINUTES * 60_000 + 180_000,
}, async (t) => {
	const place = newPlace();
	const notes = join(place.folder, "notes");
	writeFileSync(notes, "");
	const ledger = [process.execPath, "--disable-warning=ExperimentalWarning", LEDGER, notes];
	configure(0);
	const up = ["--inspect-port=0", HOLDFAST, "up", "--port", "0"];
	const product = await startProduct(place, { command: process.execPath, args: up, cwd: place.repository });
	t.after(async () => {
		product.signal("SIGKILL");
		await until(() => place.living().length === 0, "nothing is left");
		place.remove();
	});
	const gauge = new ProcessGauge(product.pid);
	const tally = new Tally();
	const random = seededRandom(7);
	const end = performance.now() + MINUTES * 60_000;
	const address = `${product.address}/mcp`;
	const hosted = ["host", "--name", "soak", "--", ...ledger];
	const overStdio = await stdioClient(process.execPath, [HOLDFAST, ...hosted], place.environment);
	const clients = [await firstClient(address), await modernClient(address), await modernClient(address)];

	const weights: (readonly [minutes: number, megabytes: number])[] = [];
	const trouble = new Map<string, number>();
	const happened = (kind: string) => trouble.set(kind, (trouble.get(kind) ?? 0) + 1);
	await Promise.all([
		...clients.map((client) => throughTheGateway(client)),
		directly(),
		vanishing(),
		makeTrouble(),
		weigh(),
	]);

	for (const client of [...clients, overStdio]) await client.close();
	const { megabytes, descriptors } = gauge.stop();
	const live = trend(weights);
	product.signal("SIGINT");
	assert.equal(await product.exited, 0);
	await until(() => place.living().length === 0, "no process is left");
	const counts = {
		safe: tally.safe,
		once: tally.fates.size,
		inDoubt: tally.count("in doubt"),
		...Object.fromEntries(trouble),
	};
	t.diagnostic(JSON.stringify({ minutes: MINUTES, ...counts, megabytes, live, descriptors }));
	assert.deepEqual(tally.wrong.slice(0, 5), []);
	assert.deepEqual(tally.discrepancies(readFileSync(notes, "utf8").split("\n")), []);
	assert.ok(tally.safe > 0 && tally.count("answered") > 0 && trouble.size >= 4);
	const reloads = product.said().err.split("configuration reloaded").length - 1;
	assert.ok(reloads > 0, "what was written was read");
	if (MINUTES >= SLOPES_COUNT_FROM) {
		assert.ok(live.perMinute <= FILLS_BY, `the live heap grows by ${live.perMinute.toFixed(2)} MB a minute`);
		assert.ok(megabytes.perMinute <= 1, `memory grows by ${megabytes.perMinute.toFixed(2)} MB a minute`);
		assert.ok(descriptors.perMinute <= 0.5, `descriptors grow by ${descriptors.perMinute.toFixed(2)} a minute`);
	}

	async function throughTheGateway(client: GatewayClient): Promise<void> {
		while (performance.now() < end) {
			const id = tally.newId();
			const ms = Math.floor(random() * 80);
			const chance = random();
			if (chance < 0.5) await tally.safely(() => client.runTool("ledger:look", { id, ms }));
			else if (chance < 0.8) await tally.once(id, () => client.runTool("ledger:note", { id, ms }));
			else if (chance < 0.9) await tally.safely(() => client.runTool("pairofcleats:search", { query: "lantern" }));
			else await tally.safely(() => client.runTool("synesthetic:list_schemas", {}));
			await delay(random() * 40);
		}
	}

	async function directly(): Promise<void> {
		while (performance.now() < end) {
			const id = tally.newId();
			await tally.once(id, () => overStdio.callTool("note", { id, ms: Math.floor(random() * 60) }));
			await tally.safely(() => overStdio.callTool("look", { id }));
			await delay(random() * 40);
		}
	}

	/** Clients that leave in the middle of a call, whose effect may or may not happen, and once at most. */
	async function vanishing(): Promise<void> {
		while (performance.now() < end) {
			const client = await modernClient(address);
			const id = tally.newId();
			tally.fates.set(id, "abandoned");
			const call = client.runTool("ledger:note", { id, ms: 100 }).catch(() => undefined);
			await delay(random() * 120);
			await client.close();
			await call;
			happened("vanished");
			await delay(300);
		}
	}

	/** Resident memory swings with V8's collections; what is alive after one does not. */
	async function weigh(): Promise<void> {
		const inspected = await debuggerOf(product.pid, () => product.said().err);
		while (performance.now() < end) {
			weights.push([performance.now() / 60_000, await liveMegabytes(inspected)]);
			await delay(Math.min(WEIGH_EVERY_MS, Math.max(0, end - performance.now())));
		}
	}

	async function makeTrouble(): Promise<void> {
		const spared = new Map<string, number>();
		for (let round = 1; performance.now() < end; round++) {
			await delay(TROUBLE_EVERY_MS * (0.5 + random()));
			const kind = ["kill", "kill", "rollout", "reload"][Math.floor(random() * 4)] ?? "kill";
			if (kind === "kill") kill(spared);
			else if (kind === "rollout") await rollout();
			else configure(round);
			happened(kind);
		}
	}

	function kill(spared: Map<string, number>): void {
		const workers = place
			.living()
			.filter(
				({ command }) => /ledgerServer|pairofcleats\.js|synesthetic\.js/.test(command) && !/holdfast\.js/.test(command),
			)
			.filter(({ command }) => (spared.get(command) ?? 0) < performance.now());
		const chosen = workers[Math.floor(random() * workers.length)];
		if (chosen === undefined) return;
		spared.set(chosen.command, performance.now() + SPARED_MS);
		try {
			process.kill(chosen.pid, "SIGKILL");
		} catch {
			// It ended by itself meanwhile, as a worker that was rolled out does.
		}
	}

	async function rollout(): Promise<void> {
		// A rollout that meets a dying worker may be given up; the old release serves on, which the calls show.
		await promisify(execFile)(process.execPath, [HOLDFAST, "rollout", "soak"], { env: place.environment }).catch(
			() => undefined,
		);
	}

	/** The same servers under another configuration each time. */
	function configure(round: number): void {
		const [command = "", ...args] = ledger;
		const config = {
			mcpServers: { ledger: { command, args } },
			toolsets: { [`set${round % 3}`]: { tools: ["ledger:*"] } },
			execution: { max_chain_steps: 8 + (round % 5) },
		};
		const beside = `${place.configFile}.new`;
		writeFileSync(beside, JSON.stringify(config));
		renameSync(beside, place.configFile);
		assert.ok(existsSync(place.configFile));
	}
});
