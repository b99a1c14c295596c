import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seededRandom } from "libmcp/testing";
import { newPlace, type Place } from "../place.ts";
import { HOLDFAST } from "../runningProduct.ts";
import { until } from "../until.ts";
import { chaosClient } from "./chaosClient.ts";
import { checkHistory } from "./checkHistory.ts";
import { type CallEnd, type CallKind, History } from "./history.ts";

const SERVER = fileURLToPath(new URL("../fixtures/effectServer.ts", import.meta.url));
const SESSIONS = 32;
const KILL_EVERY_MS = 2_000;
/** Shorter than a life of the gateway, so that what is run again can end. */
const LONGEST_MS = 1_500;
const PATIENCE_MS = 120_000;
const KINDS: readonly CallKind[] = ["read", "keyed", "write"];

/** `holdfast up` is killed every two seconds and started again at its address, under sessions that are at work. */
export async function killGatewayFor(t: TestContext, minutes: number): Promise<void> {
	const place = newPlace();
	const effects = join(place.folder, "effects");
	writeFileSync(effects, "");
	const args = ["--disable-warning=ExperimentalWarning", SERVER, effects];
	const server = { command: process.execPath, args };
	writeFileSync(
		place.configFile,
		JSON.stringify({ mcpServers: { effects: server }, quarantine: { trust: ["effects"] } }),
	);
	const history = new History(join(place.folder, "history.jsonl"));
	const random = seededRandom(11);
	const port = await freePort();
	const address = `http://127.0.0.1:${port}`;
	let gateway = await start(place, port);
	t.after(async () => {
		process.kill(-gateway.pid, "SIGKILL");
		await until(() => place.living().length === 0, "nothing is left");
		place.remove();
	});

	// A call may be caught by every kill of the run, so only what is unanswered long after the last one is lost.
	const noting = { history, patienceMs: minutes * 60_000 + PATIENCE_MS };
	const clients = await Promise.all(
		Array.from({ length: SESSIONS }, (_, index) =>
			chaosClient(address, `session-${index}`, index % 2 === 0 ? "/mcp" : "/mcp/effects", noting),
		),
	);
	const end = performance.now() + minutes * 60_000;
	const over = new AbortController();
	const counts = new Map<string, number>();
	const work = clients.map(async (client, index) => {
		for (let number = 1; !over.signal.aborted; number++) {
			const kind = KINDS[Math.floor(random() * 3)] ?? "read";
			const ended: CallEnd = await client.call(`call-${index}-${number}`, kind, Math.floor(random() ** 2 * LONGEST_MS));
			counts.set(`${kind} ${ended}`, (counts.get(`${kind} ${ended}`) ?? 0) + 1);
			await delay(ended === "unreachable" ? 200 : random() * 100);
		}
	});
	let kills = 0;
	const downMs: number[] = [];
	while (performance.now() < end) {
		await delay(KILL_EVERY_MS);
		process.kill(-gateway.pid, "SIGKILL");
		const killedAt = performance.now();
		history.note({ what: "kill" });
		kills++;
		await gateway.exited;
		gateway = await start(place, port);
		downMs.push(Math.round(performance.now() - killedAt));
	}
	over.abort();
	await Promise.all(work);
	await Promise.all(clients.map((client) => client.close()));
	for (const call of readFileSync(effects, "utf8").split("\n").filter(Boolean)) history.note({ what: "effect", call });
	const acknowledged = history.lines.filter(({ what }) => what === "acknowledged").length;
	const events = history.lines.filter(({ what }) => what === "event").length;
	const median = downMs.toSorted((a, b) => a - b)[Math.floor(downMs.length / 2)];
	const figures = { minutes, kills, medianDownMs: median, acknowledged, events, ...Object.fromEntries(counts) };
	t.diagnostic(JSON.stringify(figures));
	const breaches = checkHistory(history.lines);
	assert.deepEqual(breaches.slice(0, 10), [], `${breaches.length} promises broken`);
	assert.ok(kills >= 3 && acknowledged > kills, "enough happened");
}

type Gateway = { readonly pid: number; readonly exited: Promise<unknown> };

/** Resolves when it listens. */
async function start({ environment, repository }: Place, port: number): Promise<Gateway> {
	const args = [HOLDFAST, "up", "--bare", "--no-index", "--port", String(port), "--repo", repository];
	const child = spawn(process.execPath, args, {
		env: environment,
		stdio: ["ignore", "ignore", "pipe"],
		detached: true,
	});
	let complaints = "";
	child.stderr.on("data", (chunk: Buffer) => {
		complaints += chunk.toString();
	});
	const exited = new Promise((resolve) => child.once("exit", resolve));
	const { pid } = child;
	assert.ok(pid !== undefined);
	const isUp = async (): Promise<boolean> => {
		if (child.exitCode !== null) throw new Error(`holdfast up ended: ${complaints}`);
		return fetch(`http://127.0.0.1:${port}/healthz`).then(
			({ ok }) => ok,
			() => false,
		);
	};
	await until(isUp, "the gateway listens");
	assert.ok(existsSync(HOLDFAST));
	return { pid, exited };
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === "object" && address !== null ? address.port : 0;
}
