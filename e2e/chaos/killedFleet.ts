import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "libmcp/testing";
import { FleetClient } from "../fleet/fleetClient.ts";
import { type RunningNode, startFleet } from "../fleet/fleetNodes.ts";
import { until } from "../until.ts";
import { chaosClient } from "./chaosClient.ts";
import { checkHistory } from "./checkHistory.ts";
import { type CallEnd, type CallKind, History } from "./history.ts";

const NODES = 3;
const SESSIONS = 32;
const PATIENCE_MS = 120_000;
const KINDS: readonly CallKind[] = ["read", "keyed", "write"];
/** What befalls the fleet, again and again in this order. */
const BLOWS = ["kill", "kill", "stop", "kill", "freeze", "kill", "stop", "database"] as const;
const FROZEN_MS = 10_000;

/** Nodes are killed, stopped, frozen and started again, and so is the database, under sessions at work behind a balancer. */
export async function killFleetFor(t: TestContext, minutes: number): Promise<void> {
	const fleet = await startFleet(NODES);
	const folder = mkdtempSync(join(tmpdir(), "holdfast-history-"));
	t.after(async () => {
		await fleet.close();
		rmSync(folder, { recursive: true, force: true });
	});
	const history = new History(join(folder, "history.jsonl"));
	const random = seededRandom(11);
	const noting = { history, patienceMs: minutes * 60_000 + PATIENCE_MS };
	const clients = await Promise.all(
		Array.from({ length: SESSIONS }, (_, index) =>
			chaosClient(fleet.balancer.address, `session-${index}`, index % 2 === 0 ? "/mcp" : "/mcp/effects", noting),
		),
	);
	const end = performance.now() + minutes * 60_000;
	let isOver: boolean = false;
	const counts = new Map<string, number>();
	const work = clients.map(async (client, index) => {
		for (let number = 1; !isOver; number++) {
			const kind = KINDS[Math.floor(random() * 3)] ?? "read";
			const ended: CallEnd = await client.call(`call-${index}-${number}`, kind, Math.floor(random() ** 2 * 2_500));
			counts.set(`${kind} ${ended}`, (counts.get(`${kind} ${ended}`) ?? 0) + 1);
			await delay(ended === "unreachable" ? 200 : random() * 100);
		}
	});
	const answerMs: number[] = [];
	let blows = 0;
	for (; performance.now() < end; blows++) {
		await delay(1_000);
		const node = fleet.nodes[blows % NODES];
		const other = fleet.nodes[(blows + 1) % NODES];
		assert.ok(node !== undefined && other !== undefined);
		history.note({ what: "kill" });
		switch (BLOWS[blows % BLOWS.length]) {
			case "kill":
				answerMs.push(await killAndAsk(node, other));
				await node.start();
				break;
			case "stop":
				await node.end("SIGTERM");
				await node.start();
				break;
			case "freeze":
				node.signal("SIGSTOP");
				await delay(FROZEN_MS);
				node.signal("SIGCONT");
				break;
			case "database":
				await fleet.database.kill();
				await fleet.database.restart();
				break;
		}
	}
	isOver = true;
	await Promise.all(work);
	await Promise.all(clients.map((client) => client.close()));
	for (const call of fleet.effects()) history.note({ what: "effect", call });
	const acknowledged = history.lines.filter(({ what }) => what === "acknowledged").length;
	const events = history.lines.filter(({ what }) => what === "event").length;
	const sorted = answerMs.toSorted((a, b) => a - b).map(Math.round);
	const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)]);
	const figures = { minutes, blows, nextAnswerMs: { p50, p99 }, acknowledged, events };
	t.diagnostic(JSON.stringify({ ...figures, ...Object.fromEntries(counts) }));
	const breaches = checkHistory(history.lines);
	for (const breach of breaches.slice(0, 10)) {
		const [call = ""] = breach.split(":");
		t.diagnostic(
			history.lines.flatMap((line) => ("call" in line && line.call === call ? [JSON.stringify(line)] : [])).join(" "),
		);
	}
	assert.deepEqual(breaches.slice(0, 10), [], `${breaches.length} promises broken`);
	assert.ok(blows >= 3 && acknowledged > blows, "enough happened");
}

/** How long after a node's death a session of its own is answered at another. */
async function killAndAsk(node: RunningNode, other: RunningNode): Promise<number> {
	const client = await FleetClient.open(node.address, "/mcp");
	await node.end("SIGKILL");
	const killedAt = performance.now();
	await until(async () => (await client.status(other.address).catch(() => 0)) === 200, "the session is answered");
	const took = performance.now() - killedAt;
	await client.end(other.address);
	return took;
}
